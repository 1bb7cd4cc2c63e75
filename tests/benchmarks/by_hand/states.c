/* Connect four and breakthrough, written by hand for counting: an upper bound, not a rival.

   states perft HEIGHT WIDTH DEPTH   sequences of DEPTH moves in connect four
   states pawns DEPTH                the same in breakthrough on eight by eight
   states count HEIGHT WIDTH         all positions of connect four, each kept once

   Prints how many, and the seconds of processor time.  Four in a line win; a column has a guard bit
   on top, so that no line leads from one to the next. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int height, width;
static uint64_t ground, board;

static int won(uint64_t stones) {
    const int ways[] = {1, height, height + 1, height + 2};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = stones & stones >> ways[i];
        if (pairs & pairs >> 2 * ways[i]) return 1;
    }
    return 0;
}

static void measure(void) {
    for (int x = 0; x < width; x++) ground |= 1ull << x * (height + 1);
    board = ground * ((1ull << height) - 1);
}

static uint64_t perft(uint64_t mine, uint64_t theirs, int depth) {
    if (won(theirs)) return 0;
    uint64_t open = ((mine | theirs) + ground) & board;
    if (depth == 1) return __builtin_popcountll(open);
    uint64_t found = 0;
    for (; open; open &= open - 1) found += perft(theirs, mine | (open & -open), depth - 1);
    return found;
}

/* White goes up: a step ahead to where nobody is, aslant to where no own pawn is. */

static const uint64_t left = 0x0101010101010101ull, right = 0x8080808080808080ull;

static uint64_t turned(uint64_t pawns) { return __builtin_bswap64(pawns); }

static uint64_t pawns(uint64_t mine, uint64_t theirs, int depth) {
    if (!mine || theirs & 0xff) return 0;
    uint64_t ahead = mine << 8 & ~(mine | theirs);
    uint64_t aslant_left = (mine & ~left) << 7 & ~mine, aslant_right = (mine & ~right) << 9 & ~mine;
    if (depth == 1)
        return __builtin_popcountll(ahead) + __builtin_popcountll(aslant_left) +
               __builtin_popcountll(aslant_right);
    uint64_t found = 0;
    const uint64_t to[] = {ahead, aslant_left, aslant_right};
    const int by[] = {8, 7, 9};
    for (int way = 0; way < 3; way++)
        for (uint64_t rest = to[way]; rest; rest &= rest - 1) {
            uint64_t there = rest & -rest;
            uint64_t moved = (mine ^ there >> by[way]) | there;
            found += pawns(turned(theirs & ~there), turned(moved), depth - 1);
        }
    return found;
}

/* A position is who has stones where; whose turn it is follows from how many there are. */

typedef struct { uint64_t mine, theirs; } Position;

static Position *known;
static uint32_t *entries, last, count;

static void add(uint64_t mine, uint64_t theirs) {
    uint64_t hash = (mine * 0x9e3779b97f4a7c15ull ^ theirs) * 0xd6e8feb86659fd93ull;
    uint32_t at = (uint32_t)(hash >> 32) & last;
    for (; entries[at]; at = (at + 1) & last) {
        Position *other = &known[entries[at] - 1];
        if (other->mine == mine && other->theirs == theirs) return;
    }
    known[count] = (Position){mine, theirs};
    entries[at] = ++count;
}

static uint64_t positions(void) {
    last = (1u << 23) - 1;
    known = malloc(sizeof *known << 22);
    entries = calloc((size_t)last + 1, sizeof *entries);
    add(0, 0);
    for (uint32_t at = 0; at < count; at++) {
        Position here = known[at];
        if (won(here.theirs)) continue;
        uint64_t open = ((here.mine | here.theirs) + ground) & board;
        for (; open; open &= open - 1) add(here.theirs, here.mine | (open & -open));
    }
    return count;
}

int main(int many, char **words) {
    uint64_t found = 0;
    clock_t begun = clock();
    if (many > 3) {
        height = atoi(words[2]), width = atoi(words[3]);
        measure();
    }
    if (many == 5 && !strcmp(words[1], "perft")) found = perft(0, 0, atoi(words[4]));
    if (many == 3 && !strcmp(words[1], "pawns"))
        found = pawns(0xffffull, 0xffffull << 48, atoi(words[2]));
    if (many == 4 && !strcmp(words[1], "count")) found = positions();
    printf("%llu %.6f\n", (unsigned long long)found, (double)(clock() - begun) / CLOCKS_PER_SEC);
    return 0;
}
