//! Tables of events: one column for each field.

/// Defines a table of columns, and its row.
macro_rules! table {
    ($(#[$about:meta])* $table:ident of $row:ident: $($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
        pub struct $table {
            $($(#[$doc])* pub $field: Vec<$type>,)*
        }

        #[doc = concat!("A row of [`", stringify!($table), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $row {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $table {
            /// Returns the number of rows.
            #[must_use]
            pub fn len(&self) -> usize {
                self.thread.len()
            }

            /// Whether there is none.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.thread.is_empty()
            }

            /// Adds a row.
            pub fn push(&mut self, row: $row) {
                $(self.$field.push(row.$field);)*
            }

            /// Returns the row at `row`.
            ///
            /// # Panics
            /// If there is no such row.
            #[must_use]
            pub fn get(&self, row: usize) -> $row {
                $row { $($field: self.$field[row],)* }
            }

            /// Iterates over the rows.
            pub fn iter(&self) -> impl ExactSizeIterator<Item = $row> + '_ {
                (0..self.len()).map(|row| self.get(row))
            }

            /// Returns the rows that fit.
            #[must_use]
            pub fn filtered(&self, fits: impl Fn(&$row) -> bool) -> Self {
                let mut kept = Self::default();
                self.iter().filter(fits).for_each(|row| kept.push(row));
                kept
            }

            /// Keeps the rows that `wanted` accepts.
            pub fn retain(&mut self, mut wanted: impl FnMut(&$row) -> bool) {
                let kept: Vec<bool> = self.iter().map(|row| wanted(&row)).collect();
                if kept.iter().all(|&it| it) {
                    return;
                }
                $({
                    let mut kept = kept.iter();
                    self.$field.retain(|_| kept.next().is_some_and(|&it| it));
                })*
            }

            /// Whether all columns are of one length, and all threads are below `threads`.
            fn is_even(&self, threads: usize) -> bool {
                let rows = self.len();
                [$(self.$field.len()),*].iter().all(|&length| length == rows)
                    && self.thread.iter().all(|&it| (it as usize) < threads)
            }
        }
    };
}

pub(super) use table;
