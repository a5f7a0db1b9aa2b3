// Number Capture solved by hand, as a yardstick for the solver that is generic over games:
// `floor start N` finds the value of the start of 1 to N, `floor openings N` that of every opening,
// `floor every N` that of every position. It prints the value of the start, one more than its
// points, and the processor seconds that it took.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

static int n;
static uint32_t all;

static int sum(uint32_t numbers) {
    int total = 0;
    for (; numbers; numbers &= numbers - 1) total += __builtin_ctz(numbers);
    return total;
}

// -- openings: alpha-beta over what both can still claim; three for a point, one for the tie -----

struct Entry { uint64_t key; int16_t least, most; };
static std::vector<Entry> table(1 << 22);

static Entry &entry(uint64_t key) {
    uint64_t at = (key ^ key >> 29) * 0x9E3779B97F4A7C15;
    at = (at ^ at >> 31) * 0xC2B2AE3D27D4EB4F >> 20;
    for (int i = 0; i < 8; i++) {
        Entry &here = table[at + i & table.size() - 1];
        if (!here.key || here.key == key) return here;
    }
    return table[at & table.size() - 1];
}

static int search(uint32_t mine, uint32_t theirs, int low, int high) {
    if (!mine) return theirs ? -search(theirs, mine, -high, -low) : 0;
    const uint64_t key = uint64_t(mine) << 32 | theirs;
    const Entry known = entry(key);
    int least = known.key == key ? known.least : -9999, most = known.key == key ? known.most : 9999;
    if (least >= high || least == most) return least;
    if (most <= low) return most;
    const int floor = low = std::max(low, least);
    high = std::min(high, most);
    int best = least;
    for (uint32_t left = mine; left && low < high;) {
        const int move = 31 - __builtin_clz(left), gain = 3 * move + (move == n);
        left ^= 1u << move;
        const int score = gain - search(theirs & ~(1u << move), mine & ~(7u << move >> 1),
                                        gain - high, gain - low);
        best = std::max(best, score);
        low = std::max(low, best);
    }
    entry(key) = {key, int16_t(best > floor ? best : least), int16_t(best < high ? best : most)};
    return best;
}

static int openings() {
    int best = -9999;
    for (int move = n; move; move--) {
        const int gain = 3 * move + (move == n);
        best = std::max(best, gain - search(all & ~(1u << move), all & ~(7u << move >> 1), -9999, 9999));
    }
    return best;
}

static int points(int score) { return score > 0 ? (score + 1) / 3 + 1 : (score - 1) / 3 - 1; }

// -- every position: one sweep over all strings of free, own and other, from the last -------------

static int64_t counts[64][3], rises[2][64][3][3], number;
static int8_t *first, *second;
static int owner[64];

static int64_t smaller(int place, int above, int here) {
    int64_t found = 0;
    for (int less = 0; place > 0 && less < here; less++)
        if (!less || less != above) found += counts[place - 1][less];
    return found;
}

static void value(uint32_t one, uint32_t two) {
    number--;
    const uint32_t free = all & ~(one | two);
    const uint32_t mine = free & ~(one << 1 | one >> 1), theirs = free & ~(two << 1 | two >> 1);
    int best = -128, other = -128;
    for (uint32_t left = mine; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        best = std::max(best, -second[number + rises[0][i][owner[i + 1]][owner[i - 1]]]);
    }
    for (uint32_t left = theirs; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        other = std::max(other, -first[number + rises[1][i][owner[i + 1]][owner[i - 1]]]);
    }
    if (!mine && !theirs) {
        const int ahead = sum(one) - sum(two);
        best = ahead + (ahead ? (ahead > 0 ? 1 : -1) : one > two ? 1 : -1);
    } else if (!mine) best = -other;
    if (!theirs) other = -best;
    first[number] = best, second[number] = other;
}

static void sweep(int place, uint32_t one, uint32_t two) {
    if (!place) return value(one, two);
    for (int here = 2; here >= 0; here--) {
        if (here && here == owner[place + 1]) continue;
        owner[place] = here;
        sweep(place - 1, here == 1 ? one | 1u << place : one, here == 2 ? two | 1u << place : two);
    }
    owner[place] = 0;
}

static int every() {
    for (int length = 0; length <= n; length++)
        for (int above = 0; above < 3; above++)
            counts[length][above] = length ? smaller(length, above, 3) : 1;
    for (int player = 1; player <= 2; player++)
        for (int place = 1; place <= n; place++)
            for (int above = 0; above < 3; above++)
                for (int below = 0; below < 3; below++)
                    rises[player - 1][place][above][below] = smaller(place, above, player)
                        + smaller(place - 1, player, below) - smaller(place - 1, 0, below);
    number = counts[n][0];
    first = (int8_t *)calloc(number, 1), second = (int8_t *)calloc(number, 1);
    sweep(n, 0, 0);
    return first[0];
}

int main(int, char **words) {
    n = atoi(words[2]);
    all = (2u << n) - 2;
    const clock_t begin = clock();
    const int found = !strcmp(words[1], "every") ? every()
        : points(strcmp(words[1], "start") ? openings() : search(all, all, -9999, 9999));
    printf("%d %f\n", found, double(clock() - begin) / CLOCKS_PER_SEC);
}
