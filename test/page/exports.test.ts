import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportJobs } from '../../src/shared/presentation/export-jobs.ts'
import { ExportFormat } from '../../src/shared/contract/texts.ts'
import { markupText, plainText } from '../../src/shared/text/safe-characters.ts'
import { imgMarkup, pictureMarkup } from '../../src/shared/presentation/markup.ts'
import { exportedJob } from './make-view.ts'

/** RFC 4180, as a reader that never heard of Hangar does it. */
const parseCsv = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })

const HOSTILE = [
  '"><script>alert(1)</script>',
  "' onerror='alert(1)",
  '</pre></section><img src=x onerror=alert(1)>',
  '<!--',
  ']]>',
  'javascript:alert(1)',
  '\u0000\u0008\ud800&amp;',
  'a\r\nb\tc',
]

describe('markup for a web page', () => {
  it('names the best outputs, the size and the alt text', () => {
    const job = exportedJob({ alt: 'A red hangar' })
    expect(imgMarkup(job, 'en')).toBe('<img src="photo-optimized.jpg" width="1600" height="1200" alt="A red hangar">')
    expect(pictureMarkup(job, 'en')).toBe(
      [
        '<picture>',
        '  <source srcset="photo.webp" type="image/webp">',
        '  <img src="photo-optimized.jpg" width="1600" height="1200" alt="A red hangar">',
        '</picture>',
      ].join('\n'),
    )
  })

  const withSizes = (optimizedBytes: number | null, convertedBytes: number) => {
    const job = exportedJob({ alt: 'A red hangar' })
    const bytes = { optimized: optimizedBytes ?? 0, converted: convertedBytes, variant: 0, sidecar: 0 }
    const outputs = job.outputs
      .filter(({ role }) => role !== 'optimized' || optimizedBytes !== null)
      .map((output) => ({ ...output, sizeBytes: bytes[output.role] }))
    return { ...job, outputs }
  }

  it('leaves out a converted file that is not smaller than the compressed one, also in an export', () => {
    for (const convertedBytes of [600_000, 700_000]) {
      const job = withSizes(600_000, convertedBytes)
      expect(pictureMarkup(job, 'en')).toBe(imgMarkup(job, 'en'))
      expect(imgMarkup(job, 'en')).toContain('src="photo-optimized.jpg"')
      const exported = exportJobs('html', [job])
      expect(exported).not.toContain('photo.webp')
      expect(exported).toContain('photo-optimized.jpg')
    }
    const worthIt = withSizes(600_000, 599_999)
    expect(pictureMarkup(worthIt, 'en')).toContain('<source srcset="photo.webp"')
    expect(exportJobs('html', [worthIt])).toContain('photo.webp')
  })

  it('says why there is no converted file, and when there is one that the markup leaves out', () => {
    const note = { code: 'converted_not_kept', detail: '12' } as const
    const exported = exportJobs('html', [
      { ...exportedJob({}), notes: [note, { code: 'converted_larger', detail: null }] },
    ])
    expect(exported).toContain('<p>The converted file would be 12% larger')
    const [head, cells] = parseCsv(
      exportJobs('csv', [{ ...exportedJob({}), notes: [note, { code: 'figures_only', detail: null }] }]),
    )
    expect(cells?.[head!.indexOf('notes')]).toBe('converted_not_kept: 12; figures_only')
    expect(exported).toContain('<p>The converted file is no smaller')
  })

  it('serves the original where the only result is a larger converted file', () => {
    const larger = withSizes(null, 1_000_001)
    expect(pictureMarkup(larger, 'en')).toBe('<img src="photo.jpg" width="1600" height="1200" alt="A red hangar">')
    const smaller = withSizes(null, 400_000)
    expect(imgMarkup(smaller, 'en')).toContain('src="photo.webp"')
    expect(pictureMarkup(smaller, 'en')).toContain('<img src="photo.jpg"')
  })

  /** With files of the widths, in bytes; the whole converted file has 300,000, the compressed one 600,000. */
  const withWidths = (bytesOf: Record<number, number>, job = exportedJob({ alt: 'A red hangar' })) => {
    const variants = Object.entries(bytesOf).map(([width, sizeBytes], n) => ({
      index: 10 + n,
      role: 'variant' as const,
      name: `photo-${width}w.webp`,
      path: `/pictures/photo-${width}w.webp`,
      sizeBytes,
      type: 'webp',
      state: 'published' as const,
      width: Number(width),
      height: Number(width) * 0.75,
    }))
    return { ...job, outputs: [...job.outputs, ...variants] }
  }

  it('lets a browser choose among the widths of the converted file', () => {
    const job = withWidths({ 1280: 200_000, 640: 60_000 })
    expect(pictureMarkup(job, 'en')).toBe(
      [
        '<picture>',
        '  <source srcset="photo-640w.webp 640w, photo-1280w.webp 1280w, photo.webp 1600w" sizes="(max-width: 1600px) 100vw, 1600px" type="image/webp">',
        '  <img src="photo-optimized.jpg" width="1600" height="1200" alt="A red hangar">',
        '</picture>',
      ].join('\n'),
    )
    expect(imgMarkup(job, 'en')).toBe('<img src="photo-optimized.jpg" width="1600" height="1200" alt="A red hangar">')
    const alone = { ...job, outputs: job.outputs.filter(({ role }) => role !== 'optimized') }
    expect(imgMarkup(alone, 'en')).toBe(
      '<img src="photo.webp" srcset="photo-640w.webp 640w, photo-1280w.webp 1280w, photo.webp 1600w" sizes="(max-width: 1600px) 100vw, 1600px" width="1600" height="1200" alt="A red hangar">',
    )
    const [head, cells] = parseCsv(exportJobs('csv', [job]))
    expect(cells?.[head!.indexOf('srcset')]).toBe('photo-640w.webp 640w, photo-1280w.webp 1280w, photo.webp 1600w')
    const [plain] = JSON.parse(exportJobs('json', [job])) as { outputs: { role: string; width?: number }[] }[]
    expect(plain?.outputs.filter(({ role }) => role === 'variant').map(({ width }) => width)).toEqual([640, 1280])
  })

  it('keeps names in srcset apart, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom(...HOSTILE, 'a, b 2x')),
        (name) => {
          const job = withWidths({ 640: 60_000 })
          const outputs = job.outputs.map((output) => ({ ...output, name }))
          const srcset = /srcset="([^"]*)"/.exec(pictureMarkup({ ...job, outputs }, 'en'))![1]!
          expect(srcset.split(', ').map((part) => part.split(' ')[1])).toEqual(['640w', '1600w'])
          expect(srcset).not.toMatch(/[<>]/)
        },
      ),
    )
  })

  it('falls back to the original, and to no text in a language that has none', () => {
    const job = { ...exportedJob({ name: 'my photo.jpg' }), outputs: [] }
    expect(pictureMarkup(job, 'fr')).toBe('<img src="my%20photo.jpg" width="1600" height="1200" alt="">')
  })

  it('lets no name and no text out of its attribute', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE)),
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE)),
        (name, alt) => {
          const text = pictureMarkup(exportedJob({ name, alt }), 'en')
          expect(text.match(/</g)).toHaveLength(4)
          expect(text.match(/>/g)).toHaveLength(4)
          expect(text.match(/"/g)).toHaveLength(12)
          // eslint-disable-next-line no-control-regex -- what may not be there
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
          expect(text.isWellFormed()).toBe(true)
        },
      ),
    )
  })
})

describe('exports', () => {
  it('gives decoration an empty alt text, whatever its texts, and says so', () => {
    const job = { ...exportedJob({ name: 'a.jpg', alt: 'A red aircraft' }), decorative: true }
    const html = exportJobs('html', [job])
    expect(html).toContain('alt=&quot;&quot;')
    expect(html).not.toContain('A red aircraft')
    const [header, cells] = parseCsv(exportJobs('csv', [job]))
    const cell = (name: string) => cells![header!.indexOf(name)]
    expect([cell('alt_en'), cell('decorative')]).toEqual(['', 'yes'])
    const [plain] = JSON.parse(exportJobs('json', [job])) as { decorative: boolean; texts: { altText: string }[] }[]
    expect(plain).toMatchObject({ decorative: true, texts: [{ altText: 'A red aircraft' }] })
  })

  it('writes a table that a spreadsheet reads and cannot take for formulas', () => {
    const jobs = ['=cmd()', '+1', '-1', '@x', '\tx', '\rx', 'say "hi", they said'].map((alt) => exportedJob({ alt }))
    const text = exportJobs('csv', jobs)
    expect(text.startsWith('\ufefffile,folder,')).toBe(true)
    const alts = parseCsv(text)
      .slice(1)
      .map((cells) => cells[11])
    expect(alts).toEqual(["'=cmd()", "'+1", "'-1", "'@x", "'\tx", "'\rx", 'say "hi", they said'])
  })

  it('keeps every cell in its place, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (alts) => {
        const rows = parseCsv(
          exportJobs(
            'csv',
            alts.map((alt) => exportedJob({ alt })),
          ),
        )
        expect(rows).toHaveLength(alts.length + 1)
        // What csv-cell.ts puts in and replaces aside.
        const plain = (text: string) => text.replaceAll(/['? ]|(?![\t\r\n])\p{Cc}|\ufffd/gu, '')
        for (const [n, alt] of alts.entries())
          expect(plain(rows[n + 1]?.[11] ?? '')).toBe(plain(plainText(alt.toWellFormed())))
      }),
    )
  })

  it('writes a document in which nothing that came from outside is markup', () => {
    const plain = exportJobs('html', [exportedJob({ name: 'a.jpg', alt: 'b' })])
    const tags = (text: string) => text.match(/<[^>]*>/g)
    for (const words of HOSTILE) {
      const hostile = exportJobs('html', [exportedJob({ name: words, alt: words })])
      expect(tags(hostile)).toEqual(tags(plain))
    }
  })

  it('writes images for Markdown, on one line each, in which nothing is markup', () => {
    expect(exportJobs('markdown', [exportedJob({ alt: 'A red\nhangar, 40 kW' })])).toBe(
      '## photo.jpg\n\nen: ![A red hangar, 40 kW](photo-optimized.jpg)\n',
    )
    const alt = '](x) ![y](z) <b> *c* `d` {{e}} \\'
    const job = exportedJob({ name: 'a](b) #.jpg', alt })
    expect(exportJobs('markdown', [{ ...job, outputs: [] }])).toBe(
      '## a\\](b) \\#.jpg\n\nen: ![\\](x) !\\[y\\](z) \\<b\\> \\*c\\* \\`d\\` \\{\\{e\\}\\} \\\\](a%5D%28b%29%20%23.jpg)\n',
    )
    expect(exportJobs('markdown', [{ ...job, outputs: [], decorative: true }])).toContain('\n![](a')
  })

  it('leaves out of a translation what is only decoration or has no text in its language', () => {
    const jobs = [{ ...exportedJob({ alt: 'A' }), decorative: true }, exportedJob({ alt: 'B' })]
    const ids = (from: string) =>
      exportJobs('xliff', jobs, { translation: { from, to: null } }).match(/<file id="p\d+/g)
    expect(ids('en')).toEqual(['<file id="p2'])
    expect(ids('de')).toBeNull()
  })

  it('turn no text around, neither in a page nor where the file itself is read', () => {
    const words = 'a\u202egnp.exe\u2066 b\u200f c\u2028d\ufeff \u{e0068}\u{e0069} \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}'
    const unseen = /[\p{Bidi_Control}\u2028\u2029\u206a-\u206f]|(?<!^)\ufeff|[\u{e0068}\u{e0069}]/u
    for (const format of ExportFormat.options) {
      const text = exportJobs(format, [exportedJob({ name: words, alt: words })])
      expect(text.replaceAll('\u200f', format === 'csv' || format === 'markdown' ? '' : '\u200f'), format).not.toMatch(
        format === 'json' ? /[\p{Bidi_Control}\u2028\u2029\ufeff]/u : unseen,
      )
      // A flag is a letter of its own, and marks of direction belong to Arabic and Hebrew texts.
      if (format !== 'json') expect(text, format).toContain('\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}')
    }
  })

  it('escapes so that the text is what it was', () => {
    expect(markupText(`<a href="x">&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;')
  })
})
