/* Draws figures with cairo: SVG and PDF in points, PNG in the dots of the style. Equal figures give equal files. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "figure/paint.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef enum ending { SVG, PDF, PNG } ending;

/* ---- the page ---- */

static carom_status find_ranges(carom_painter *p)
{
    const carom_figure *f = p->figure;
    double x[2], y[2][2] = {{0, 1}, {0, 1}};
    CAROM_TRY(carom_figure_ranges(p->ctx, f, x, y));
    p->x_scale = (carom_scale){x[0], x[1], f->x_log};
    p->y_scale[0] = (carom_scale){y[0][0], y[0][1], f->y_log};
    p->y_scale[1] = (carom_scale){y[1][0], y[1][1], f->y2_log};
    p->right = carom_figure_has_axis(f, 1);
    if (f->map) {
        carom_map_range(f->map, y[1]);
        if (!carom_axis_is_wide(y[1][0], y[1][1]))
            carom_axis_widen(&y[1][0], &y[1][1], 0);
        p->y_scale[1] = (carom_scale){y[1][0], y[1][1], false};
        p->right = true;
        p->bar = 5 * p->look->unit;
    }
    return CAROM_OK;
}

static void set_font(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

static void draw_figure(carom_painter *p)
{
    carom_legend legend = carom_paint_place_legend(p);
    if (p->figure->map)
        carom_paint_map(p);
    else
        carom_paint_grid(p);
    carom_paint_curves(p);
    carom_paint_frame(p);
    if (legend.shown)
        carom_paint_legend(p, &legend);
}

/* The figures of a page, `columns` beside each other, each in a tile of the same size. */
typedef struct page {
    carom_painter *painters;
    size_t count, columns;
    double width, height;
} page;

static void draw_page(const page *g, cairo_t *cr)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    for (size_t k = 0; k < g->count; k++) {
        carom_painter *p = &g->painters[k];
        cairo_save(cr);
        set_font(cr);
        cairo_translate(cr, (double)(k % g->columns) * p->width, (double)(k / g->columns) * p->height);
        p->cr = cr;
        draw_figure(p);
        cairo_restore(cr);
    }
}

static cairo_status_t keep_bytes(void *user, const unsigned char *bytes, unsigned int length)
{
    carom_text *text = user;
    carom_text_append_n(text, (const char *)bytes, length);
    return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(const page *g, ending kind, carom_text *bytes)
{
    const carom_painter *p = &g->painters[0];
    if (kind == SVG)
        return cairo_svg_surface_create_for_stream(keep_bytes, bytes, g->width, g->height);
    if (kind == PDF) {
        cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(keep_bytes, bytes, g->width, g->height);
        char title[CAROM_AXIS_TEXT];
        /* the oldest version that shows all; printers take it, and its objects are not packed */
        cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);
        carom_figure_text(title, sizeof title, p->figure->title);
        /* a fixed length for what drop_date() takes out */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Carom");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
        return surface;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(g->width / 72 * p->look->dots),
                                      (int)lround(g->height / 72 * p->look->dots));
}

/* Draws the page into memory. */
static carom_status render(const page *g, ending kind, carom_text *bytes)
{
    const carom_painter *p = &g->painters[0];
    cairo_surface_t *surface = make_surface(g, kind, bytes);
    cairo_t *cr = cairo_create(surface);
    if (kind == PNG)
        cairo_scale(cr, p->look->dots / 72, p->look->dots / 72);
    draw_page(g, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && kind == PNG)
        status = cairo_surface_write_to_png_stream(surface, keep_bytes, bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (bytes->failed || status == CAIRO_STATUS_NO_MEMORY)
        return carom_fail_memory(p->ctx);
    if (status != CAIRO_STATUS_SUCCESS)
        return carom_fail(p->ctx, CAROM_ERROR_IO, NULL, "figure: cannot be drawn: %s; try another size or ending",
                          cairo_status_to_string(status));
    return CAROM_OK;
}

/* Overwrites the date of a PDF with blanks, so that equal figures give equal files. */
static void drop_date(carom_text *pdf)
{
    static const char key[] = "/CreationDate (";
    for (size_t k = 0; k + sizeof key < pdf->length; k++)
        if (memcmp(pdf->data + k, key, sizeof key - 1) == 0) {
            char *end = memchr(pdf->data + k, ')', pdf->length - k);
            if (end)
                memset(pdf->data + k, ' ', (size_t)(end + 1 - pdf->data) - k);
            return;
        }
}

static void append_xml(carom_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&' || *p == '<' || *p == '>')
            carom_text_append(out, *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : "&gt;");
        else
            carom_text_append_n(out, p, 1);
    }
}

/* Copies an SVG and adds, after its first tag, a title and a description for those who cannot see its glyphs. */
static carom_status describe(const carom_painter *p, const carom_text *svg, carom_text *out)
{
    const char *tag = strstr(svg->data, "<svg"), *end = tag ? strchr(tag, '>') : NULL;
    char text[CAROM_AXIS_TEXT];
    size_t head = end ? (size_t)(end + 1 - svg->data) : 0;
    carom_text_append_n(out, svg->data, head);
    if (head) {
        carom_figure_text(text, sizeof text, p->figure->title);
        carom_text_append(out, "\n<title>");
        append_xml(out, text);
        carom_text_append(out, "</title>\n<desc>");
        append_xml(out, p->x_axis.label);
        for (int axis = 0; axis < (p->right ? 2 : 1); axis++) {
            carom_text_append(out, "; ");
            append_xml(out, p->y_axis[axis].label);
        }
        for (size_t k = 0; k < p->figure->curve_count; k++) {
            carom_paint_curve_name(p, k, text, sizeof text);
            carom_text_append(out, k ? ", " : "; ");
            append_xml(out, text);
        }
        carom_text_append(out, "</desc>");
    }
    /* cairo numbers its surfaces: the number is left out, so that equal figures give equal files */
    const char *id = strstr(svg->data + head, "id=\"surface");
    if (id) {
        size_t before = (size_t)(id - svg->data) + strlen("id=\"surface");
        carom_text_append_n(out, svg->data + head, before - head);
        head = before + strspn(svg->data + before, "0123456789");
    }
    carom_text_append_n(out, svg->data + head, svg->length - head);
    return out->failed ? carom_fail_memory(p->ctx) : CAROM_OK;
}

/* ---- the file ---- */

static carom_status save(carom_context *ctx, const char *path, const carom_text *bytes)
{
    FILE *file = fopen(path, "wb");
    struct stat info;
    bool ordinary = file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    bool done = file && fwrite(bytes->data, 1, bytes->length, file) == bytes->length;
    int error = errno;
    if (file && fclose(file) != 0) {
        error = done ? errno : error;
        done = false;
    }
    if (done)
        return CAROM_OK;
    if (ordinary)
        remove(path);
    return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", path, strerror(error),
                      error == ENOENT   ? "make the folder first"
                      : error == ENOSPC ? "make room on the disk"
                                        : "choose another name or folder");
}

static bool find_ending(const char *path, ending *out)
{
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    size_t length = path ? strlen(path) : 0;
    for (int k = 0; k < 3; k++)
        if (length > 4 && strcmp(path + length - 4, endings[k]) == 0) {
            *out = (ending)k;
            return true;
        }
    return false;
}

static carom_status set_painter(carom_context *ctx, const carom_figure *f, const carom_figure *first, carom_painter *p)
{
    const carom_look *look = carom_figure_look(first->style);
    if (!look)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: there is no style %d; choose one of carom_figure_style", (int)first->style);
    double width = first->width != 0 ? first->width : look->width;
    double height = first->height != 0 ? first->height : look->height;
    CAROM_TRY(carom_figure_check(ctx, f, width, height));
    *p = (carom_painter){
        .ctx = ctx, .figure = f, .look = look, .width = width * CAROM_MM, .height = height * CAROM_MM};
    return find_ranges(p);
}

/* Draws figures into memory; *out starts as {.ctx = ctx} and is freed by the caller also on failure. */
static carom_status draw_bytes(carom_context *ctx, const carom_figure *figures, size_t count, size_t columns,
                               ending kind, carom_text *out)
{
    page g = {.count = count, .columns = columns};
    g.painters = carom_allocate(ctx, count, sizeof *g.painters);
    if (!g.painters)
        return carom_fail_memory(ctx);
    carom_text drawn = {.ctx = ctx}, *bytes = kind == SVG ? &drawn : out;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = set_painter(ctx, &figures[k], &figures[0], &g.painters[k]);
    g.width = g.painters[0].width * (double)columns;
    g.height = g.painters[0].height * (double)((count + columns - 1) / columns);
    if (status == CAROM_OK)
        status = render(&g, kind, bytes);
    if (status == CAROM_OK && kind == SVG)
        status = describe(&g.painters[0], bytes, out);
    if (status == CAROM_OK && kind == PDF)
        drop_date(bytes);
    carom_text_clear(&drawn);
    carom_release(ctx, g.painters, count, sizeof *g.painters);
    return status;
}

carom_status carom_figure_svg(carom_context *ctx, const carom_figure *figure, carom_text *out)
{
    return draw_bytes(ctx, figure, 1, 1, SVG, out);
}

carom_figure carom_default_figure(void) { return (carom_figure){.size = sizeof(carom_figure)}; }

carom_status carom_figures_draw(carom_context *ctx, const carom_figure *figures, size_t count, size_t columns,
                                const char *path)
{
    CAROM_NEED(ctx, ctx);
    ending kind;
    if (!figures || count == 0 || columns == 0)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_figures_draw: there is no figure");
    if (!find_ending(path, &kind))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: a figure ends in .svg, .pdf or .png; choose one of these",
                          path ? path : "");
    carom_figure *own = carom_allocate(ctx, count, sizeof *own);
    if (!own)
        return carom_fail_memory(ctx);
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < count && status == CAROM_OK; k++) {
        own[k] = carom_default_figure();
        status = carom_take_def(ctx, &figures[k], &own[k], sizeof own[k], "figure");
    }
    carom_text bytes = {.ctx = ctx};
    if (status == CAROM_OK)
        status = draw_bytes(ctx, own, count, columns, kind, &bytes);
    if (status == CAROM_OK)
        status = save(ctx, path, &bytes);
    carom_text_clear(&bytes);
    carom_release(ctx, own, count, sizeof *own);
    return status;
}

carom_status carom_figure_draw(carom_context *ctx, const carom_figure *figure, const char *path)
{
    CAROM_NEED(ctx, ctx);
    carom_figure own = carom_default_figure();
    CAROM_TRY(carom_take_def(ctx, figure, &own, sizeof own, "figure"));
    return carom_figures_draw(ctx, &own, 1, 1, path);
}
