// A job server whose locks show what a report can say: a journal written to disk while its mutex is held, an index behind one
// mutex that is read twenty times for each write, a queue with a condition variable, and a configuration that all only read.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

std::mutex index_lock;
std::map<int, std::string> index_;
std::mutex journal_lock;
int journal;
std::shared_mutex config_lock;
std::string config = "4";
std::mutex jobs_lock;
std::condition_variable jobs_ready;
std::queue<int> jobs;
bool closed;

void write_journal(int job) {
    std::lock_guard guard(journal_lock);
    char line[64];
    int length = snprintf(line, sizeof line, "job %d\n", job);
    if (write(journal, line, length) < 0 || fdatasync(journal) < 0) perror("journal");
}

void update_index(int job) {
    std::lock_guard guard(index_lock);
    index_[job % 5000] = std::string(200, 'x');
}

int read_index(int job) {
    std::lock_guard guard(index_lock);
    auto found = index_.find(job % 5000);
    return found == index_.end() ? 0 : found->second.size();
}

void serve() {
    for (;;) {
        std::unique_lock lock(jobs_lock);
        jobs_ready.wait(lock, [] { return closed || !jobs.empty(); });
        if (jobs.empty()) return;
        int job = jobs.front();
        jobs.pop();
        lock.unlock();
        { std::shared_lock reading(config_lock); (void)config.size(); }
        for (int i = 0; i < 20; i++) read_index(job + i);
        update_index(job);
        if (job % 50 == 0) write_journal(job);
    }
}

int main() {
    journal = open("journal", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; i++) workers.emplace_back(serve);
    for (int job = 0; job < 100000; job++) {
        { std::lock_guard guard(jobs_lock); jobs.push(job); }
        jobs_ready.notify_one();
    }
    { std::lock_guard guard(jobs_lock); closed = true; }
    jobs_ready.notify_all();
    for (auto &worker : workers) worker.join();
}
