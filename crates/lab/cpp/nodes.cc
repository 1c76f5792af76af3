// Each thread's spare queue nodes, as a stack: locks are mostly released in the opposite order to
// that in which they were taken, so the node on top is the one still in the cache.

#include <cstdlib>
#include <cstring>

#include "peers.h"

namespace {

// Two lines: processors fetch lines in pairs, and a neighbour's node must not come along.
constexpr std::size_t ALIGNMENT = 128;

struct Stack {
    void **spare;
    unsigned count;
    unsigned capacity;
};

// No constructor and no destructor, so reading it is one instruction with no guard around it.
thread_local Stack stacks[LOCKTOLL_NODE_KINDS];

// Frees the spare nodes at the thread's end. Used only on the slow path, which each thread with
// nodes has taken at least once.
struct Cleaner {
    bool used = false;
    ~Cleaner() {
        for (Stack &stack : stacks) {
            for (unsigned i = 0; i < stack.count; i++)
                std::free(stack.spare[i]);
            std::free(stack.spare);
            stack = Stack{};
        }
    }
};
thread_local Cleaner cleaner;

[[gnu::cold, gnu::noinline]] void *fresh(unsigned size) {
    cleaner.used = true;
    std::size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *node = std::aligned_alloc(ALIGNMENT, rounded);
    if (node == nullptr)
        std::abort();
    std::memset(node, 0, rounded);
    return node;
}

[[gnu::cold, gnu::noinline]] void grow(Stack &stack) {
    cleaner.used = true;
    unsigned capacity = stack.capacity == 0 ? 16 : stack.capacity * 2;
    void *moved = std::realloc(stack.spare, capacity * sizeof(void *));
    if (moved == nullptr)
        std::abort();
    stack.spare = static_cast<void **>(moved);
    stack.capacity = capacity;
}

} // namespace

extern "C" void *locktoll_node_take(locktoll_node_kind kind, unsigned size) {
    Stack &stack = stacks[kind];
    return stack.count > 0 ? stack.spare[--stack.count] : fresh(size);
}

extern "C" void locktoll_node_give(locktoll_node_kind kind, void *node) {
    Stack &stack = stacks[kind];
    if (stack.count == stack.capacity)
        grow(stack);
    stack.spare[stack.count++] = node;
}
