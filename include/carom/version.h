/* Version of these headers; that of the library is carom_version_number(). */
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0

/* 10000 MAJOR + 100 MINOR + PATCH. */
#define CAROM_VERSION_NUMBER (10000 * CAROM_VERSION_MAJOR + 100 * CAROM_VERSION_MINOR + CAROM_VERSION_PATCH)

#endif
