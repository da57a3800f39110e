import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportJobs, type ExportedJob } from '../../src/shared/export-jobs.ts'
import { escapeHtml, imgMarkup, leftOutOfMarkup, pictureMarkup } from '../../src/shared/markup.ts'
import { exportedJob } from './make-view.ts'

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
    const bytes = { optimized: optimizedBytes ?? 0, converted: convertedBytes, sidecar: 0 }
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
      expect(leftOutOfMarkup(job)?.name).toBe('photo.webp')
      const exported = exportJobs('html', [job])
      expect(exported).not.toContain('photo.webp')
      expect(exported).toContain('photo-optimized.jpg')
    }
    const worthIt = withSizes(600_000, 599_999)
    expect(pictureMarkup(worthIt, 'en')).toContain('<source srcset="photo.webp"')
    expect(leftOutOfMarkup(worthIt)).toBeNull()
    expect(exportJobs('html', [worthIt])).toContain('photo.webp')
  })

  it('serves the original where the only result is a larger converted file', () => {
    const larger = withSizes(null, 1_000_001)
    expect(pictureMarkup(larger, 'en')).toBe('<img src="photo.jpg" width="1600" height="1200" alt="A red hangar">')
    const smaller = withSizes(null, 400_000)
    expect(imgMarkup(smaller, 'en')).toContain('src="photo.webp"')
    expect(pictureMarkup(smaller, 'en')).toContain('<img src="photo.jpg"')
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
    const alts = parseCsv(text.slice(1))
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
          ).slice(1),
        )
        expect(rows).toHaveLength(alts.length + 1)
        // What csv-cell.ts puts in and replaces aside.
        const plain = (text: string) => text.replaceAll(/'|(?![\t\r\n])\p{Cc}|\ufffd/gu, '')
        for (const [n, alt] of alts.entries()) expect(plain(rows[n + 1]?.[11] ?? '')).toBe(plain(alt.toWellFormed()))
      }),
    )
  })

  it('writes JSON that reads back', () => {
    const parsed = JSON.parse(exportJobs('json', [exportedJob({ alt: HOSTILE.join() })])) as ExportedJob[]
    expect(parsed[0]?.texts[0]?.altText).toBe(HOSTILE.join())
  })

  it('writes a document in which nothing that came from outside is markup', () => {
    const plain = exportJobs('html', [exportedJob({ name: 'a.jpg', alt: 'b' })])
    const tags = (text: string) => text.match(/<[^>]*>/g)
    for (const words of HOSTILE) {
      const hostile = exportJobs('html', [exportedJob({ name: words, alt: words })])
      expect(tags(hostile)).toEqual(tags(plain))
    }
  })

  it('escapes so that the text is what it was', () => {
    expect(escapeHtml(`<a href="x">&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;')
  })
})

/** RFC 4180, as a reader that never heard of Hangar would do it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === ',') {
      row.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      at += 1
    } else cell += character
  }
  expect(cell).toBe('')
  return rows
}
