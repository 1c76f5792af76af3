//! One page in the browser, with what a person can do to it.

use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::browser::{Browser, PATIENCE};

/// A page that has drawn itself.
pub struct Tab<'a> {
    browser: &'a mut Browser,
    session: String,
    url: String,
    /// From the beginning of loading to the page's word that it is drawn.
    pub opened_in: Duration,
}

impl<'a> Tab<'a> {
    pub(super) fn open(browser: &'a mut Browser, file: &Path) -> Self {
        let target = browser.blank();
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask(None, "Target.attachToTarget", attach);
        let url = format!("file://{}", file.display());
        let mut tab = Self {
            browser,
            session: attached["sessionId"].as_str().unwrap().to_owned(),
            url: url.clone(),
            opened_in: Duration::ZERO,
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.ask(&format!("{domain}.enable"), json!({}));
        }
        tab.size(1280, 900);
        tab.dark(false);
        let begin = Instant::now();
        tab.ask("Page.navigate", json!({ "url": url }));
        tab.wait("document.querySelector('#page[data-drawn]') !== null && document.readyState === 'complete'");
        tab.opened_in = begin.elapsed();
        tab
    }

    /// Speaks the protocol, to this page.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.browser.ask(Some(&self.session), method, params)
    }

    /// The value of an expression, or of what it promises.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", params);
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        answer["result"]["value"].clone()
    }

    /// The same as text.
    pub fn text(&mut self, expression: &str) -> String {
        match self.value(expression) {
            Value::String(text) => text,
            other => panic!("{expression} is {other}"),
        }
    }

    /// The same as a list of texts.
    pub fn texts(&mut self, expression: &str) -> Vec<String> {
        serde_json::from_value(self.value(expression)).unwrap()
    }

    /// The same as a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(expression) != true {
            assert!(Instant::now() < deadline, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks into the middle of the first element that `selector` finds, with the mouse.
    pub fn click(&mut self, selector: &str) {
        let selector = json!(selector).to_string();
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector});
               if (!it) return null;
               it.scrollIntoView({{ block: 'center', inline: 'center' }});
               const box = it.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        assert!(place.is_array(), "nothing to click on: {selector}");
        self.click_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    }

    /// Clicks at a place in the window, with the mouse.
    pub fn click_at(&mut self, x: f64, y: f64) {
        self.point_at(x, y);
        for sort in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": sort, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Moves the mouse to a place in the window.
    pub fn point_at(&mut self, x: f64, y: f64) {
        self.ask(
            "Input.dispatchMouseEvent",
            json!({ "type": "mouseMoved", "x": x, "y": y }),
        );
        self.settle();
    }

    /// Turns the mouse's wheel over a place in the window, by CSS pixels to the right and down.
    pub fn wheel_at(&mut self, x: f64, y: f64, right: f64, down: f64) {
        self.ask(
            "Input.dispatchMouseEvent",
            json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": right, "deltaY": down }),
        );
        self.settle();
    }

    /// Moves the mouse from one place to another while its button is down, with the shift key or without it.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64), shift: bool) {
        let modifiers = if shift { 8 } else { 0 };
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let steps = [
            ("mousePressed", from),
            ("mouseMoved", middle),
            ("mouseMoved", to),
            ("mouseReleased", to),
        ];
        for (sort, (x, y)) in steps {
            let event = json!({ "type": sort, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1, "modifiers": modifiers });
            self.ask("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Puts fingers on the screen at the first places, moves them to the next ones, and takes them off.
    pub fn touch(&mut self, places: &[Vec<(f64, f64)>]) {
        for (at, fingers) in places.iter().enumerate() {
            let sort = if at == 0 { "touchStart" } else { "touchMove" };
            let points: Vec<Value> = fingers
                .iter()
                .enumerate()
                .map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id }))
                .collect();
            self.ask(
                "Input.dispatchTouchEvent",
                json!({ "type": sort, "touchPoints": points }),
            );
        }
        self.ask(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchEnd", "touchPoints": [] }),
        );
        self.settle();
    }

    /// Types into whatever has the keyboard.
    pub fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            for sort in ["keyDown", "keyUp"] {
                let text = if sort == "keyDown" {
                    character.to_string()
                } else {
                    String::new()
                };
                self.ask(
                    "Input.dispatchKeyEvent",
                    json!({ "type": sort, "text": text, "key": character.to_string() }),
                );
            }
        }
        self.settle();
    }

    /// Presses a key that has a name: `Enter`, `Tab`, `Escape`, `ArrowDown`.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            _ => panic!("no such key: {key}"),
        };
        for sort in ["keyDown", "keyUp"] {
            let text = if sort == "keyDown" { text } else { "" };
            self.ask(
                "Input.dispatchKeyEvent",
                json!({ "type": sort, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text }),
            );
        }
        self.settle();
    }

    /// The size of the window in CSS pixels.
    pub fn size(&mut self, width: u32, height: u32) {
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
        self.settle();
    }

    /// Whether the person prefers dark colours.
    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] }),
        );
        self.settle();
    }

    /// The page as it would be printed, a PDF file.
    pub fn printed(&mut self) -> Vec<u8> {
        let answer = self.ask("Page.printToPDF", json!({ "printBackground": false }));
        STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }

    /// A picture as wide as the window and at most `height` pixels high, from the top of an element or of the page, as PNG.
    pub fn picture_from(&mut self, element: Option<&str>, height: u32) -> Vec<u8> {
        let element = json!(element.unwrap_or("body")).to_string();
        let place = self.value(&format!(
            "[document.documentElement.clientWidth, document.documentElement.scrollHeight,
              document.querySelector({element}).getBoundingClientRect().top + scrollY]"
        ));
        let [width, all, top] = [0, 1, 2].map(|at| place[at].as_f64().unwrap());
        let top = (top - 16.0).max(0.0);
        let height = f64::from(height).min(all - top);
        let clip = json!({ "x": 0, "y": top, "width": width, "height": height, "scale": 1 });
        let params = json!({ "format": "png", "clip": clip, "captureBeyondViewport": true });
        let answer = self.ask("Page.captureScreenshot", params);
        STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }

    /// What the browser had to complain about: exceptions, messages of errors and warnings, what the policy refused.
    pub fn complaints(&mut self) -> Vec<String> {
        self.settle();
        let exceptions = self
            .browser
            .events(&self.session, "Runtime.exceptionThrown")
            .map(|it| it["exceptionDetails"].to_string());
        let messages = self
            .browser
            .events(&self.session, "Runtime.consoleAPICalled")
            .filter(|it| {
                ["error", "warning", "assert"].contains(&it["type"].as_str().unwrap_or_default())
            })
            .map(|it| it["args"].to_string());
        let entries = self
            .browser
            .events(&self.session, "Log.entryAdded")
            .filter(|it| {
                ["error", "warning"].contains(&it["entry"]["level"].as_str().unwrap_or_default())
            })
            .map(|it| it["entry"]["text"].to_string());
        exceptions.chain(messages).chain(entries).collect()
    }

    /// What the page asked for beyond itself.
    pub fn requests(&mut self) -> Vec<String> {
        self.settle();
        self.browser
            .events(&self.session, "Network.requestWillBeSent")
            .filter_map(|it| it["request"]["url"].as_str())
            .filter(|url| *url != self.url && !url.starts_with("data:"))
            .map(str::to_owned)
            .collect()
    }

    /// Of each chart in the page: its label, and how many shapes it has that take room.
    pub fn charts(&mut self) -> Vec<(String, u64)> {
        let charts = self.value(
            "[...document.querySelectorAll('.chart-room')].map(room => [
                room.getAttribute('aria-label'),
                [...room.querySelectorAll('svg path, svg rect, svg text, svg polyline')].filter(it => {
                    const box = it.getBoundingClientRect();
                    return box.width > 0 || box.height > 0;
                }).length])",
        );
        serde_json::from_value(charts).unwrap()
    }

    /// Waits until the page has drawn what was due.
    pub fn settle(&mut self) {
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }
}
