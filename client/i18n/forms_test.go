package i18n_test

import (
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/i18n"
)

// hardSpaces shows hard spaces as _, so that they can be told apart.
func hardSpaces(text string) string {
	return strings.NewReplacer("\u00a0", "_", "\u202f", "_").Replace(text)
}

func TestNumbers(t *testing.T) {
	for place, want := range map[string]string{
		"en":    "1,234 · 12,345 · -1,234,567 · 1,234.5 · 0.5 · 45 %",
		"en-US": "1,234 · 12,345 · -1,234,567 · 1,234.5 · 0.5 · 45 %",
		"es":    "1234 · 12.345 · -1.234.567 · 1234,5 · 0,5 · 45_%",
		"es-MX": "1,234 · 12,345 · -1,234,567 · 1,234.5 · 0.5 · 45_%",
		"pt":    "1.234 · 12.345 · -1.234.567 · 1.234,5 · 0,5 · 45%",
		"pt-PT": "1234 · 12_345 · -1_234_567 · 1234,5 · 0,5 · 45%",
		"fr":    "1_234 · 12_345 · -1_234_567 · 1_234,5 · 0,5 · 45_%",
		"de":    "1.234 · 12.345 · -1.234.567 · 1.234,5 · 0,5 · 45_%",
		"de-CH": "1’234 · 12’345 · -1’234’567 · 1’234.5 · 0.5 · 45_%",
		"de-AT": "1_234 · 12_345 · -1_234_567 · 1_234,5 · 0,5 · 45_%",
	} {
		t.Run(place, func(t *testing.T) {
			language, region, _ := strings.Cut(place, "-")
			use(t, language, region)
			got := []string{i18n.Count(1234), i18n.Count(12345), i18n.Count(-1234567), i18n.Number(1234.5, 1), i18n.Number(0.5, 1), i18n.Percent(45, 0)}
			assert.Equal(t, want, hardSpaces(strings.Join(got, " · ")))
		})
	}
}

func TestSizes(t *testing.T) {
	t.Run("in English", func(t *testing.T) {
		for bytes, want := range map[int64]string{-1: "0 bytes", 0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1 KB", 1<<20 - 512: "1 MB",
			900 << 10: "900 KB", 5<<20 + 200<<10: "5.2 MB", 50 << 20: "50 MB", 3 << 29: "1.5 GB", 1<<30 - 1: "1 GB", 2000 << 30: "2000 GB"} {
			assert.Equal(t, want, i18n.Size(bytes))
		}
		assert.Equal(t, "48 of 210 MB", i18n.SizeOf(48<<20, 210<<20))
		assert.Equal(t, "900 KB of 2.1 MB", i18n.SizeOf(900<<10, 2200<<10))
		assert.Equal(t, "1,234,567 bytes, 1 byte", i18n.Bytes(1234567)+", "+i18n.Bytes(1))
	})
	for language, want := range map[string]string{"es": "5,2_MB 900_KB 2_bytes", "pt": "5,2_MB 900_KB 2_bytes", "fr": "5,2_Mo 900_Ko 2_octets",
		"de": "5,2_MB 900_KB 2_Byte"} {
		t.Run(language, func(t *testing.T) {
			use(t, language, "")
			assert.Equal(t, want, hardSpaces(i18n.Size(5<<20+200<<10)+" "+i18n.Size(900<<10)+" "+i18n.Bytes(2)))
		})
	}
}

func TestWaits(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "1 s", 89 * time.Second: "89 s", 90 * time.Second: "2 min", 89 * time.Minute: "89 min",
		90 * time.Minute: "2 h", 50 * time.Hour: "50 h"} {
		assert.Equal(t, want, i18n.Wait(d))
	}
}

func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{90 * time.Second: "90 s", 30 * time.Second: "30 s", 2 * time.Minute: "2 min", 90 * time.Minute: "90 min", time.Hour: "1 h",
		1500 * time.Millisecond: "1,500 ms", time.Hour + time.Second: "3,601 s", time.Microsecond: "1 ms", 0: "0 s"} {
		assert.Equal(t, want, i18n.Duration(d))
	}
}

func TestDates(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	at := time.Date(2026, time.March, 5, 16, 4, 9, 0, zone)
	for place, want := range map[string]string{
		"en":    "5 Mar · 5 Mar 2026 · 5 Mar 2026, 16:04 · 16:04 · 5 Mar 2026, 16:04:09 (UTC+02:00) · 5 Mar 2026, 16:04:09 +02:00",
		"en-US": "Mar 5 · Mar 5, 2026 · Mar 5, 2026, 4:04 PM · 4:04 PM · Mar 5, 2026, 4:04:09 PM (UTC+02:00) · Mar 5, 2026, 4:04:09 PM +02:00",
		"es":    "5 mar · 5 mar 2026 · 5 mar 2026, 16:04 · 16:04 · 5 mar 2026, 16:04:09 (UTC+02:00) · 5 mar 2026, 16:04:09 +02:00",
		"pt": "5 de mar. · 5 de mar. de 2026 · 5 de mar. de 2026, 16:04 · 16:04 · 5 de mar. de 2026, 16:04:09 (UTC+02:00) · " +
			"5 de mar. de 2026, 16:04:09 +02:00",
		"fr": "5 mars · 5 mars 2026 · 5 mars 2026, 16:04 · 16:04 · 5 mars 2026, 16:04:09 (UTC+02:00) · 5 mars 2026, 16:04:09 +02:00",
		"de": "5. März · 5. März 2026 · 5. März 2026, 16:04 · 16:04 · 5. März 2026, 16:04:09 (UTC+02:00) · 5. März 2026, 16:04:09 +02:00",
	} {
		t.Run(place, func(t *testing.T) {
			language, region, _ := strings.Cut(place, "-")
			use(t, language, region)
			same, other := at.AddDate(0, 5, 0), at.AddDate(1, 0, 0)
			got := []string{i18n.Day(at, same), i18n.Day(at, other), i18n.DayTime(at, other), i18n.Clock(at), i18n.Moment(at), i18n.LogMoment(at)}
			assert.Equal(t, want, strings.Join(got, " · "))
		})
	}
	t.Run("in the zone of who reads", func(t *testing.T) {
		now := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
		late := time.Date(2026, time.January, 1, 0, 30, 0, 0, zone)
		assert.Equal(t, "31 Dec 2025", i18n.Day(late, now))
		assert.Equal(t, "5 Mar, 14:04", i18n.DayTime(at, now))
	})
	t.Run("with its year where no present is named", func(t *testing.T) {
		assert.Equal(t, "5 Mar 2026 – 5 Mar 2026, 16:04", i18n.Day(at, time.Time{})+" – "+i18n.DayTime(at, time.Time{}))
	})
}
