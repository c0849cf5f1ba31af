/* What a public declaration carries: CAROM_API those of libcarom, CAROM_IO_API those of libcarom-io. All else is
   hidden. */
#ifndef CAROM_API_H
#define CAROM_API_H

#if defined(_WIN32) && defined(CAROM_SHARED)
#define CAROM_API_EXPORT __declspec(dllexport)
#define CAROM_API_IMPORT __declspec(dllimport)
#elif defined(__GNUC__)
#define CAROM_API_EXPORT __attribute__((visibility("default")))
#define CAROM_API_IMPORT CAROM_API_EXPORT
#else
#define CAROM_API_EXPORT
#define CAROM_API_IMPORT
#endif

/* CAROM_BUILDING and CAROM_IO_BUILDING are defined while the libraries themselves are compiled. */
#if defined(CAROM_BUILDING)
#define CAROM_API CAROM_API_EXPORT
#else
#define CAROM_API CAROM_API_IMPORT
#endif
#if defined(CAROM_IO_BUILDING)
#define CAROM_IO_API CAROM_API_EXPORT
#else
#define CAROM_IO_API CAROM_API_IMPORT
#endif

#endif
