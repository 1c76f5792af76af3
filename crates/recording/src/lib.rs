#![no_std]
//! recording
