// Eight threads that compute for a moment, and one that answers.
#include <atomic>
#include <thread>
#include <vector>
#include "moves.h"

int main() {
    std::atomic<unsigned> sum{0};
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 8; seed++)
        threads.emplace_back([&sum, seed] {
            for (unsigned i = 0; i < 1000000; i++)
                sum += i * seed;
        });
    for (auto &thread : threads)
        thread.join();
    return answer();
}
