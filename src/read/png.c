/* PNG images as grey values: all colour types and depths that are not interlaced. The parts of the data are joined,
   inflated (RFC 1950, 1951) and freed of their filters (PNG specification, second edition, section 9). */
#include "read/grid.h"

#define BITS 15                 /* longest code */
#define CODES 288

typedef struct code {
    uint16_t count[BITS + 1], symbol[CODES];
} code;

typedef struct inflater {
    const unsigned char *in;
    size_t in_size, in_at;
    uint32_t bits;
    int bit_count;
    unsigned char *out;
    size_t out_size, out_at;
    bool bad;
} inflater;

/* ---- inflate ---- */

static int take_bits(inflater *s, int count)
{
    while (s->bit_count < count) {
        if (s->in_at >= s->in_size) {
            s->bad = true;
            return 0;
        }
        s->bits |= (uint32_t)s->in[s->in_at++] << s->bit_count;
        s->bit_count += 8;
    }
    const int value = (int)(s->bits & ((1u << count) - 1));
    s->bits >>= count;
    s->bit_count -= count;
    return value;
}

static void put_byte(inflater *s, unsigned char byte)
{
    if (s->out_at < s->out_size)
        s->out[s->out_at++] = byte;
    else
        s->bad = true;
}

/* Canonical codes of the lengths; false: they are too many. */
static bool make_code(const unsigned char *length, int n, code *out)
{
    uint16_t at[BITS + 1];
    int left = 1;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < n; k++)
        out->count[length[k]]++;
    out->count[0] = 0;
    for (int k = 1; k <= BITS; k++) {
        left = 2 * left - out->count[k];
        if (left < 0)
            return false;
    }
    at[1] = 0;
    for (int k = 1; k < BITS; k++)
        at[k + 1] = (uint16_t)(at[k] + out->count[k]);
    for (int k = 0; k < n; k++)
        if (length[k])
            out->symbol[at[length[k]]++] = (uint16_t)k;
    return true;
}

static int decode(inflater *s, const code *c)
{
    int value = 0, first = 0, index = 0;
    for (int k = 1; k <= BITS && !s->bad; k++) {
        value |= take_bits(s, 1);
        const int count = c->count[k];
        if (value - count < first)
            return c->symbol[index + value - first];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    s->bad = true;
    return 0;
}

static void copy_codes(inflater *s, const code *letters, const code *distances)
{
    static const uint16_t base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far[30] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,
                                     33,  49,  65,  97,  129, 193,  257,  385,  513,  769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const unsigned char far_extra[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    while (!s->bad) {
        const int symbol = decode(s, letters);
        if (symbol < 256) {
            put_byte(s, (unsigned char)symbol);
            continue;
        }
        if (symbol == 256)
            return;
        s->bad = s->bad || symbol > 285;
        if (s->bad)
            return;
        const int length = base[symbol - 257] + take_bits(s, extra[symbol - 257]), place = decode(s, distances);
        s->bad = s->bad || place > 29;
        if (s->bad)
            return;
        const size_t back = (size_t)far[place] + (size_t)take_bits(s, far_extra[place]);
        s->bad = s->bad || back > s->out_at;
        for (int k = 0; k < length && !s->bad; k++)
            put_byte(s, s->out[s->out_at - back]);
    }
}

static void fixed_block(inflater *s)
{
    unsigned char length[CODES];
    code letters, distances;
    for (int k = 0; k < CODES; k++)
        length[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
    make_code(length, CODES, &letters);
    memset(length, 5, 30);
    make_code(length, 30, &distances);
    copy_codes(s, &letters, &distances);
}

static void dynamic_block(inflater *s)
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char length[320] = {0};
    code letters, distances;
    const int letter_count = take_bits(s, 5) + 257, distance_count = take_bits(s, 5) + 1, count = take_bits(s, 4) + 4;
    for (int k = 0; k < count; k++)
        length[order[k]] = (unsigned char)take_bits(s, 3);
    s->bad = s->bad || letter_count > 286 || distance_count > 30 || !make_code(length, 19, &letters);
    memset(length, 0, sizeof length);
    for (int k = 0; k < letter_count + distance_count && !s->bad;) {
        const int symbol = decode(s, &letters);
        if (symbol < 16) {
            length[k++] = (unsigned char)symbol;
            continue;
        }
        const int repeat = symbol == 16   ? 3 + take_bits(s, 2)
                           : symbol == 17 ? 3 + take_bits(s, 3)
                                          : 11 + take_bits(s, 7);
        s->bad = s->bad || (symbol == 16 && k == 0) || k + repeat > letter_count + distance_count;
        const unsigned char value = symbol == 16 && k > 0 ? length[k - 1] : 0;
        for (int n = 0; n < repeat && !s->bad; n++)
            length[k++] = value;
    }
    if (s->bad)
        return;
    s->bad = !make_code(length, letter_count, &letters) ||
             !make_code(length + letter_count, distance_count, &distances);
    if (!s->bad)
        copy_codes(s, &letters, &distances);
}

static void stored_block(inflater *s)
{
    s->bits = 0;
    s->bit_count = 0;
    const size_t left = s->in_size - s->in_at;
    const size_t count = left >= 4 ? (size_t)s->in[s->in_at] | (size_t)s->in[s->in_at + 1] << 8 : 0;
    s->bad = s->bad || left < 4 || count > left - 4;
    s->in_at += 4;
    for (size_t k = 0; k < count && !s->bad; k++)
        put_byte(s, s->in[s->in_at++]);
}

/* Fills the room of `out`; false: the data are damaged or too few. */
static bool inflate(inflater *s)
{
    bool last = false;
    s->in_at = 2;
    s->bad = s->in_size < 2 || (s->in[0] & 15) != 8;
    while (!last && !s->bad) {
        last = take_bits(s, 1);
        const int type = take_bits(s, 2);
        if (type == 0)
            stored_block(s);
        else if (type == 1)
            fixed_block(s);
        else if (type == 2)
            dynamic_block(s);
        else
            s->bad = true;
    }
    return !s->bad && s->out_at == s->out_size;
}

/* ---- the image ---- */

typedef struct image {
    size_t width, height, channels, row, pixel; /* bytes of a row, and between one pixel and the next */
    int depth, type;
    const unsigned char *palette;
    size_t colours;
    unsigned char *data;        /* the parts of the data, joined */
    size_t data_size;
} image;

static uint32_t word_at(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

static int paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = p > a ? p - a : a - p, pb = p > b ? p - b : b - p, pc = p > c ? p - c : c - p;
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Takes the filters off the rows, each behind its byte; false: there is no such filter. */
static bool unfilter(const image *m, unsigned char *bytes)
{
    for (size_t r = 0; r < m->height; r++) {
        unsigned char *row = bytes + r * (m->row + 1) + 1;
        const unsigned char *above = r ? row - m->row - 1 : NULL;
        const int filter = row[-1];
        for (size_t k = 0; k < m->row; k++) {
            const int a = k >= m->pixel ? row[k - m->pixel] : 0, b = above ? above[k] : 0;
            const int c = above && k >= m->pixel ? above[k - m->pixel] : 0;
            const int add[5] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
            if (filter > 4)
                return false;
            row[k] = (unsigned char)(row[k] + add[filter]);
        }
    }
    return true;
}

/* A sample of a row, from 0 to its greatest value. */
static unsigned sample_at(const image *m, const unsigned char *row, size_t k)
{
    if (m->depth == 16)
        return (unsigned)row[2 * k] << 8 | row[2 * k + 1];
    const size_t bit = k * (size_t)m->depth;
    return (unsigned)row[bit / 8] >> (8 - m->depth - (int)(bit % 8)) & ((1u << m->depth) - 1);
}

/* Colours count as their mean; how clear they are does not count. */
static double grey_at(const image *m, const unsigned char *row, size_t column)
{
    const double most = (double)((1u << m->depth) - 1);
    if (m->type == 3) {
        const size_t colour = sample_at(m, row, column);
        const unsigned char *rgb = m->palette + 3 * (colour < m->colours ? colour : 0);
        return (rgb[0] + rgb[1] + rgb[2]) / (3 * 255.0);
    }
    if (m->channels < 3)
        return sample_at(m, row, column * m->channels) / most;
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
        sum += sample_at(m, row, column * m->channels + k);
    return sum / (3 * most);
}

static const char *read_header(const unsigned char *part, image *m)
{
    static const unsigned char channels[7] = {1, 0, 3, 1, 2, 0, 4};
    m->width = word_at(part);
    m->height = word_at(part + 4);
    m->depth = part[8];
    m->type = part[9];
    if (m->width < 1 || m->height < 1 || m->width > CAROM_GRID_LINES || m->height > CAROM_GRID_LINES)
        return "an image for heights has 1 to 4000 pixels along each side";
    if (m->type > 6 || !channels[m->type] || (m->depth & (m->depth - 1)) || m->depth < 1 || m->depth > 16)
        return "its header is damaged";
    if (part[12])
        return "it is interlaced; save it without that";
    m->channels = channels[m->type];
    m->row = (m->width * m->channels * (size_t)m->depth + 7) / 8;
    m->pixel = m->channels * (size_t)m->depth < 8 ? 1 : m->channels * (size_t)m->depth / 8;
    return NULL;
}

/* Goes through the parts of the file and joins the data. */
static const char *read_parts(const unsigned char *bytes, size_t size, image *m)
{
    for (size_t at = 8; at + 12 <= size;) {
        const size_t length = word_at(bytes + at);
        const unsigned char *name = bytes + at + 4, *part = bytes + at + 8;
        if (length > size - at - 12)
            return "it is cut off";
        if (memcmp(name, "IHDR", 4) == 0) {
            const char *wrong = length == 13 ? read_header(part, m) : "its header is damaged";
            if (wrong)
                return wrong;
        } else if (memcmp(name, "PLTE", 4) == 0) {
            m->palette = part;
            m->colours = length / 3;
        } else if (memcmp(name, "IDAT", 4) == 0) {
            memcpy(m->data + m->data_size, part, length);
            m->data_size += length;
        } else if (memcmp(name, "IEND", 4) == 0) {
            break;
        }
        at += 12 + length;
    }
    if (!m->width || !m->data_size || (m->type == 3 && !m->colours))
        return "it is cut off";
    return NULL;
}

carom_status carom_png_read(carom_arena *arena, const char *path, const unsigned char *bytes, size_t size,
                            carom_grid_data *out)
{
    carom_arena scratch;
    carom_arena_init(&scratch, arena->ctx);
    image m = {.data = carom_arena_alloc(&scratch, size + 1, 1)};
    const char *wrong = m.data ? read_parts(bytes, size, &m) : NULL;
    inflater s = {.in = m.data, .in_size = m.data_size, .out_size = m.height * (m.row + 1)};
    s.out = m.data && !wrong ? carom_arena_alloc(&scratch, s.out_size, 1) : NULL;
    if (s.out && (!inflate(&s) || !unfilter(&m, s.out)))
        wrong = "its data are damaged";
    out->numbers = s.out && !wrong ? carom_arena_alloc(arena, m.width * m.height, sizeof *out->numbers) : NULL;
    out->columns = (int)m.width;
    out->rows = (int)m.height;
    for (size_t k = 0; out->numbers && k < m.width * m.height; k++)
        out->numbers[k] = grey_at(&m, s.out + k / m.width * (m.row + 1) + 1, k % m.width);
    carom_arena_free(&scratch);
    if (wrong)
        return carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: the image cannot be taken: %s", path, wrong);
    return out->numbers ? CAROM_OK : carom_fail_memory(arena->ctx);
}
