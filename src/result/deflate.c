/* A deflate encoder that looks for repetitions at one distance: each block has its own codes of Huffman's. Numbers of
   sections are those of RFC 1951. */
#include "result/deflate.h"

#include "base/wide.h"

#define LITERALS 286            /* symbols of literals and lengths (3.2.5) */
#define END 256
#define LEAST_MATCH 4
#define MOST_MATCH 258
#define LONGEST_DISTANCE 32768
#define DISTANCES 30
#define LENGTH_SYMBOLS 19       /* of code lengths (3.2.7) */
#define LONGEST_CODE 15
#define LONGEST_LENGTH_CODE 7
#define STORED_BYTES 65535      /* of a stored block, at most (3.2.4) */
#define STORED_HEAD 5
#define ADLER 65521

/* ---- bits ---- */

/* Up to 32 bits, the lowest first. */
static inline void put(carom_deflate *d, uint32_t bits, unsigned count)
{
    d->bits |= (uint64_t)bits << d->waiting;
    d->waiting += count;
    if (d->waiting < 32)
        return;
    for (int k = 0; k < 4; k++)
        *d->out++ = (unsigned char)(d->bits >> 8 * k);
    d->bits >>= 32;
    d->waiting -= 32;
}

static void align(carom_deflate *d)
{
    for (; d->waiting > 0; d->waiting -= d->waiting < 8 ? d->waiting : 8) {
        *d->out++ = (unsigned char)d->bits;
        d->bits >>= 8;
    }
}

/* ---- the checksum (RFC 1950, section 9) ---- */

#define LANES 8
#define LANE_ROWS 4096          /* 255 LANE_ROWS (LANE_ROWS + 1)/2 < 2^32 */

/* Of each lane the sum, and the sum of the sums so far. */
CAROM_WIDE static void sum_lanes(const unsigned char *bytes, size_t rows, uint32_t sum[LANES], uint32_t sums[LANES])
{
    uint32_t a[LANES] = {0}, b[LANES] = {0};
    for (size_t r = 0; r < rows; r++, bytes += LANES)
        for (size_t k = 0; k < LANES; k++) {
            a[k] += bytes[k];
            b[k] += a[k];
        }
    memcpy(sum, a, sizeof a);
    memcpy(sums, b, sizeof b);
}

static void check(carom_deflate *d, const unsigned char *bytes, size_t count)
{
    uint64_t a = d->sum, b = d->sum_of_sums;
    for (size_t rows; (rows = count / LANES) > 0; bytes += rows * LANES, count -= rows * LANES) {
        rows = rows < LANE_ROWS ? rows : LANE_ROWS;
        uint32_t sum[LANES], sums[LANES];
        sum_lanes(bytes, rows, sum, sums);
        b += a * rows * LANES;
        for (size_t k = 0; k < LANES; k++) {
            a += sum[k];
            b += LANES * (uint64_t)sums[k] - k * (uint64_t)sum[k];
        }
        a %= ADLER;
        b %= ADLER;
    }
    for (size_t k = 0; k < count; k++) {
        a += bytes[k];
        b += a;
    }
    d->sum = (uint32_t)(a % ADLER);
    d->sum_of_sums = (uint32_t)(b % ADLER);
}

/* ---- codes ---- */

typedef struct code {
    uint16_t bits;      /* the first bit lowest */
    uint8_t length;     /* 0: the symbol does not occur */
} code;

/* Symbols that occur, by rising count; two at least. Counts have up to 16 bits. */
static int sort_symbols(const uint32_t *counts, int symbols, uint16_t *sorted)
{
    uint16_t found[LITERALS];
    int occur = 0;
    for (int k = 0; k < symbols; k++)
        if (counts[k])
            found[occur++] = (uint16_t)k;
    for (int shift = 0; shift < 16; shift += 8) {
        int place[257] = {0};
        const uint16_t *from = shift ? sorted : found;
        uint16_t *to = shift ? found : sorted;
        for (int k = 0; k < occur; k++)
            place[(counts[from[k]] >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++)
            place[k + 1] += place[k];
        for (int k = 0; k < occur; k++)
            to[place[counts[from[k]] >> shift & 255]++] = from[k];
    }
    memcpy(sorted, found, (size_t)occur * sizeof *sorted);
    for (int k = 0; occur < 2; k++)
        if (!counts[k])
            sorted[occur++] = (uint16_t)k;
    return occur;
}

/* Lengths of the codes of sorted weights, in their place: Moffat and Katajainen 1995, "In-place calculation of
   minimum-redundancy codes". */
static void find_lengths(uint32_t *w, int n)
{
    int root = 0, leaf = 2, next;
    w[0] += w[1];
    for (next = 1; next < n - 1; next++) {
        for (int side = 0; side < 2; side++) {
            const bool inner = leaf >= n || (root < next && w[root] < w[leaf]);
            const uint32_t weight = inner ? w[root] : w[leaf++];
            if (inner)
                w[root++] = (uint32_t)next;
            w[next] = side ? w[next] + weight : weight;
        }
    }
    w[n - 2] = 0;
    for (next = n - 3; next >= 0; next--)
        w[next] = w[w[next]] + 1;
    int available = 1, used = 0;
    uint32_t depth = 0;
    root = n - 2;
    next = n - 1;
    while (available > 0) {
        for (; root >= 0 && w[root] == depth; root--)
            used++;
        for (; available > used; available--)
            w[next--] = depth;
        available = 2 * used;
        depth++;
        used = 0;
    }
}

/* Codes of up to `longest` bits of the symbols by their counts (3.2.2). */
static void make_codes(const uint32_t *counts, int symbols, int longest, code *codes)
{
    uint16_t sorted[LITERALS];
    uint32_t weights[LITERALS];
    int of_length[33] = {0}, next[33] = {0};
    const int occur = sort_symbols(counts, symbols, sorted);
    for (int k = 0; k < occur; k++)
        weights[k] = counts[sorted[k]] ? counts[sorted[k]] : 1;
    find_lengths(weights, occur);
    for (int k = 0; k < occur; k++)
        of_length[weights[k] < (uint32_t)longest ? weights[k] : (uint32_t)longest]++;
    /* codes that were cut take more than there is: a shorter one gives a place up for two */
    uint32_t taken = 0;
    for (int length = 1; length <= longest; length++)
        taken += (uint32_t)of_length[length] << (longest - length);
    for (; taken > 1u << longest; taken--) {
        int length = longest - 1;
        while (!of_length[length])
            length--;
        of_length[longest]--;
        of_length[length]--;
        of_length[length + 1] += 2;
    }
    memset(codes, 0, (size_t)symbols * sizeof *codes);
    for (int length = longest, k = 0; length > 0; length--)
        for (int i = 0; i < of_length[length]; i++)
            codes[sorted[k++]].length = (uint8_t)length;
    for (int length = 1; length <= longest; length++)
        next[length] = (next[length - 1] + (length > 1 ? of_length[length - 1] : 0)) << 1;
    for (int k = 0; k < symbols; k++) {
        const int bits = codes[k].length ? next[codes[k].length]++ : 0;
        for (int i = 0; i < codes[k].length; i++)
            codes[k].bits = (uint16_t)(codes[k].bits | (bits >> i & 1) << (codes[k].length - 1 - i));
    }
}

/* ---- symbols of lengths and distances (3.2.5) ---- */

typedef struct extra {
    uint16_t symbol, value;
    uint8_t bits;       /* of the value */
} extra;

static extra symbol_of_length(unsigned length)
{
    const unsigned offset = length - 3;
    if (length == MOST_MATCH)
        return (extra){285, 0, 0};
    if (offset < 8)
        return (extra){(uint16_t)(257 + offset), 0, 0};
    unsigned bits = 1;
    while (offset >> (bits + 3))
        bits++;
    return (extra){(uint16_t)(257 + 4 * bits + (offset >> bits)), (uint16_t)(offset & ((1u << bits) - 1)),
                   (uint8_t)bits};
}

static extra symbol_of_distance(size_t distance)
{
    const unsigned offset = (unsigned)distance - 1;
    if (offset < 4)
        return (extra){(uint16_t)offset, 0, 0};
    unsigned bits = 1;
    while (offset >> (bits + 2))
        bits++;
    return (extra){(uint16_t)(2 * bits + (offset >> bits)), (uint16_t)(offset & ((1u << bits) - 1)), (uint8_t)bits};
}

/* ---- blocks ---- */

/* Bytes from `a` on that equal those from `b` on. */
static size_t equal_bytes(const unsigned char *a, const unsigned char *b, size_t most)
{
    size_t k = 0;
    for (; k + 8 <= most; k += 8) {
        uint64_t p, q;
        memcpy(&p, a + k, 8);
        memcpy(&q, b + k, 8);
        if (p != q)
            break;
    }
    while (k < most && a[k] == b[k])
        k++;
    return k;
}

static bool same_four(const unsigned char *a, const unsigned char *b)
{
    uint32_t p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return p == q;
}

/* Literals, and from END on lengths of matches with what is `distance` before. */
static size_t find_tokens(uint16_t *tokens, const unsigned char *bytes, size_t count, size_t distance, uint32_t *counts)
{
    size_t n = 0, k = 0;
    const size_t last = count >= distance + LEAST_MATCH && distance <= LONGEST_DISTANCE ? count - LEAST_MATCH : 0;
    for (; k < distance && k < count; k++)
        counts[tokens[n++] = bytes[k]]++;
    while (k <= last && k >= distance) {
        if (!same_four(bytes + k, bytes + k - distance)) {
            counts[tokens[n++] = bytes[k++]]++;
            continue;
        }
        const size_t left = count - k, most = left < MOST_MATCH ? left : MOST_MATCH;
        const size_t length = equal_bytes(bytes + k, bytes + k - distance, most);
        counts[symbol_of_length((unsigned)length).symbol]++;
        tokens[n++] = (uint16_t)(END + length);
        k += length;
    }
    for (; k < count; k++)
        counts[tokens[n++] = bytes[k]]++;
    return n;
}

/* Code lengths of a block, as symbols of which those from 16 on have a value. */
typedef struct head {
    extra items[LITERALS + DISTANCES];
    int count, literals, distances, lengths;
    code codes[LENGTH_SYMBOLS];
    size_t bits;
} head;

static const uint8_t length_order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static void add_item(head *h, uint32_t *counts, unsigned symbol, unsigned value, unsigned bits)
{
    h->items[h->count++] = (extra){(uint16_t)symbol, (uint16_t)value, (uint8_t)bits};
    counts[symbol]++;
    h->bits += bits;
}

static void make_head(head *h, const code *codes, unsigned distance)
{
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    uint32_t counts[LENGTH_SYMBOLS] = {0};
    *h = (head){.literals = LITERALS, .distances = (int)distance + 1, .lengths = LENGTH_SYMBOLS};
    while (h->literals > END + 1 && !codes[h->literals - 1].length)
        h->literals--;
    for (int k = 0; k < h->literals; k++)
        lengths[k] = codes[k].length;
    lengths[h->literals + (int)distance] = 1;
    const int all = h->literals + h->distances;
    for (int k = 0, run; k < all; k += run) {
        const uint8_t length = lengths[k];
        for (run = 1; k + run < all && run < 138 && lengths[k + run] == length; run++)
            ;
        if (length == 0 && run >= 11) {
            add_item(h, counts, 18, (unsigned)run - 11, 7);
        } else if (length == 0 && run >= 3) {
            add_item(h, counts, 17, (unsigned)run - 3, 3);
        } else if (run >= 3 && k > 0 && lengths[k - 1] == length) {
            run = run < 6 ? run : 6;
            add_item(h, counts, 16, (unsigned)run - 3, 2);
        } else {
            run = 1;
            add_item(h, counts, length, 0, 0);
        }
    }
    make_codes(counts, LENGTH_SYMBOLS, LONGEST_LENGTH_CODE, h->codes);
    while (h->lengths > 4 && !h->codes[length_order[h->lengths - 1]].length)
        h->lengths--;
    h->bits += 3 + 14 + 3 * (size_t)h->lengths;
    for (int k = 0; k < LENGTH_SYMBOLS; k++)
        h->bits += counts[k] * (size_t)h->codes[k].length;
}

static void put_head(carom_deflate *d, const head *h)
{
    put(d, 4, 3); /* codes of its own, not the last block (3.2.3) */
    put(d, (uint32_t)h->literals - 257, 5);
    put(d, (uint32_t)h->distances - 1, 5);
    put(d, (uint32_t)h->lengths - 4, 4);
    for (int k = 0; k < h->lengths; k++)
        put(d, h->codes[length_order[k]].length, 3);
    for (int k = 0; k < h->count; k++) {
        const extra *item = &h->items[k];
        put(d, h->codes[item->symbol].bits, h->codes[item->symbol].length);
        put(d, item->value, item->bits);
    }
}

static void put_tokens(carom_deflate *d, const uint16_t *tokens, size_t count, const code *codes, extra distance)
{
    for (size_t k = 0; k < count; k++) {
        if (tokens[k] < END) {
            put(d, codes[tokens[k]].bits, codes[tokens[k]].length);
            continue;
        }
        const extra length = symbol_of_length(tokens[k] - (unsigned)END);
        put(d, codes[length.symbol].bits, codes[length.symbol].length);
        put(d, length.value, length.bits);
        put(d, (uint32_t)distance.value << 1, distance.bits + 1u); /* the code of the only distance is 0 */
    }
    put(d, codes[END].bits, codes[END].length);
}

/* Bits of the tokens that were counted. */
static size_t bits_of(const uint32_t *counts, const code *codes, extra distance)
{
    size_t bits = 0;
    for (unsigned k = 0; k < LITERALS; k++) {
        const unsigned more = k >= 265 && k < 285 ? (k - 261) / 4 : 0;
        bits += counts[k] * (codes[k].length + (k > END ? 1u + distance.bits + more : 0u));
    }
    return bits;
}

static void store(carom_deflate *d, const unsigned char *bytes, size_t count)
{
    for (size_t part; count > 0; count -= part, bytes += part) {
        part = count < STORED_BYTES ? count : STORED_BYTES;
        put(d, 0, 3);
        align(d);
        put(d, (uint32_t)part | (uint32_t)(~part & 0xffff) << 16, 32);
        memcpy(d->out, bytes, part);
        d->out += part;
    }
}

static void add_block(carom_deflate *d, const unsigned char *bytes, size_t count, size_t distance)
{
    uint32_t counts[LITERALS] = {[END] = 1};
    code codes[LITERALS];
    head h;
    const extra far = symbol_of_distance(distance <= LONGEST_DISTANCE ? distance : 1);
    const size_t tokens = find_tokens(d->tokens, bytes, count, distance, counts);
    make_codes(counts, LITERALS, LONGEST_CODE, codes);
    make_head(&h, codes, far.symbol);
    if (h.bits + bits_of(counts, codes, far) >= 8 * (STORED_HEAD + count)) {
        store(d, bytes, count);
        return;
    }
    put_head(d, &h);
    put_tokens(d, d->tokens, tokens, codes, far);
}

/* ---- streams ---- */

size_t carom_deflate_room(size_t count, size_t parts)
{
    return count + (STORED_HEAD + 1) * (count / CAROM_DEFLATE_BLOCK + parts + 1) + 16;
}

void carom_deflate_begin(carom_deflate *d, unsigned char *out)
{
    d->begin = d->out = out;
    d->bits = d->waiting = 0;
    d->sum = 1;
    d->sum_of_sums = 0;
    put(d, 0x0178, 16); /* deflate, windows of 32768, fast (RFC 1950, section 2.2) */
}

void carom_deflate_store(carom_deflate *d, const unsigned char *bytes, size_t count)
{
    check(d, bytes, count);
    store(d, bytes, count);
}

void carom_deflate_add(carom_deflate *d, const unsigned char *bytes, size_t count, size_t distance)
{
    check(d, bytes, count);
    for (size_t part; count > 0; count -= part, bytes += part) {
        part = count < CAROM_DEFLATE_BLOCK ? count : CAROM_DEFLATE_BLOCK;
        add_block(d, bytes, part, distance);
    }
}

size_t carom_deflate_end(carom_deflate *d)
{
    put(d, 3, 10); /* the last block: codes of the format, and its end */
    align(d);
    for (int k = 3; k >= 0; k--)
        put(d, (k < 2 ? d->sum : d->sum_of_sums) >> 8 * (k % 2) & 255, 8);
    align(d);
    return (size_t)(d->out - d->begin);
}
