// Goroutines on every CPU contend for a mutex that is held for some hundred nanoseconds.
package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

var sum int

func main() {
	seconds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var mutex sync.Mutex
	var all sync.WaitGroup
	for range 4 * runtime.NumCPU() {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round%1024 != 0 || time.Now().Before(end); round++ {
				mutex.Lock()
				for i := range 200 {
					sum += i
				}
				mutex.Unlock()
			}
		}()
	}
	all.Wait()
}
