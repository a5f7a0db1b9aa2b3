// Number Capture and Sequence Build solved by hand, as a yardstick for the solver that is generic
// over games: `floor start N` finds the value of the start of Number Capture 1 to N, `floor openings
// N` that of every opening, `floor every N` that of every position; `floor deck N` that of every
// position of Sequence Build with two each of 1 to N. It prints the value of the start, one more than
// its points, or its chance in millionths, and the processor seconds that it took.
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

// -- every position of Sequence Build: rows up to their mirror image, decks in base 3 -------------

const int LENGTH = 5;

static int64_t deck_start() {
    std::vector<std::vector<int>> rows{{}};
    std::vector<std::vector<std::vector<int>>> ways;  // by row and card: the rows it makes, -1 wins
    for (size_t at = 0; at < rows.size(); at++) {
        ways.emplace_back(n);
        for (int card = 1; card <= n; card++) {
            auto &to = ways[at][card - 1];
            to.push_back(at);
            for (int end = 0; end < 2; end++) {
                std::vector<int> row = rows[at];
                if (!row.empty() && abs((end ? row.back() : row[0]) - card) != 1) continue;
                row.insert(end ? row.end() : row.begin(), card);
                std::vector<int> mirror(row.rbegin(), row.rend());
                row = std::min(row, mirror);
                int found = std::find(rows.begin(), rows.end(), row) - rows.begin();
                if (int(row.size()) == LENGTH) found = -1;
                else if (found == int(rows.size())) rows.push_back(row);
                if (std::find(to.begin(), to.end(), found) == to.end()) to.push_back(found);
            }
        }
    }
    const int many = rows.size();
    std::vector<std::vector<int>> held(many, std::vector<int>(n));
    std::vector<int> sums(many);
    for (int i = 0; i < many; i++) for (int card : rows[i]) held[i][card - 1]++, sums[i] += card;
    int64_t decks = 1, total = 0;
    for (int card = 0; card < n; card++) decks *= 3;
    std::vector<int16_t> row(decks * many), column(decks * many);
    std::vector<int64_t> starts(decks), widths(decks);
    for (int64_t deck = 0; deck < decks; deck++) {
        int left[64], drawn = 2 * n, high = 0, wide = 0;
        int64_t rest = deck;
        for (int card = 0; card < n; card++, rest /= 3) drawn -= left[card] = rest % 3;
        for (int i = 0; i < many; i++) {
            bool can = true;
            for (int card = 0; card < n; card++) can &= held[i][card] <= 2 - left[card];
            const int length = rows[i].size();
            row[deck * many + i] = can && length <= drawn / 2 ? high++ : -1;
            column[deck * many + i] = can && length <= (drawn + 1) / 2 ? wide++ : -1;
        }
        starts[deck] = total, widths[deck] = wide, total += int64_t(high) * wide;
    }
    double *values = (double *)malloc(total * sizeof(double));
    for (int64_t deck = 0; deck < decks; deck++) {
        const int16_t *mine = &row[deck * many], *theirs = &column[deck * many];
        for (int own = 0; own < many; own++) {
            if (mine[own] < 0) continue;
            for (int other = 0; other < many; other++) {
                if (theirs[other] < 0) continue;
                double leaves = 0;
                int left = 0;
                int64_t rest = deck, place = 1;
                for (int card = 0; card < n; card++, rest /= 3, place *= 3) {
                    const int count = rest % 3;
                    if (!count) continue;
                    left += count;
                    const int64_t under = deck - place;
                    const double *line = values + starts[under] + row[under * many + other] * widths[under];
                    const int16_t *where = &column[under * many];
                    double least = 1;
                    for (int way : ways[own][card]) {
                        if (way >= 0 && where[way] < 0) continue;
                        least = std::min(least, way < 0 ? 0.0 : line[where[way]]);
                    }
                    leaves += count * least;
                }
                const int longer = int(rows[own].size()) - int(rows[other].size());
                const int ahead = longer ? longer : sums[own] - sums[other];
                values[starts[deck] + mine[own] * widths[deck] + theirs[other]] =
                    left ? 1 - leaves / left : ahead >= 0;
            }
        }
    }
    return int64_t(1e6 * values[starts[decks - 1]] + 0.5);
}

int main(int, char **words) {
    n = atoi(words[2]);
    all = (2u << n) - 2;
    const clock_t begin = clock();
    const int found = !strcmp(words[1], "deck") ? deck_start()
        : !strcmp(words[1], "every") ? every()
        : points(strcmp(words[1], "start") ? openings() : search(all, all, -9999, 9999));
    printf("%d %f\n", found, double(clock() - begin) / CLOCKS_PER_SEC);
}
