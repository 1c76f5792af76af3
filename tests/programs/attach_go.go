// Goroutines that wait for a mutex until standard input ends.
package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

var accountsMutex sync.Mutex
var balance int

//go:noinline
func changeBalance() {
	accountsMutex.Lock()
	until := time.Now().Add(300 * time.Microsecond)
	for time.Now().Before(until) {
		balance++
	}
	accountsMutex.Unlock()
}

func main() {
	for range 4 {
		go func() {
			for {
				changeBalance()
				time.Sleep(200 * time.Microsecond)
			}
		}()
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
}
