import { describe, expect, it } from 'vitest'
import { readTexts } from '../../src/main/core/read-texts.ts'

const table = (text: string | Buffer) =>
  readTexts('csv', typeof text === 'string' ? Buffer.from(text) : text).texts.map(({ path, languageCode, altText }) =>
    [path, languageCode, altText].join(' | '),
  )

describe('a table of texts', () => {
  it.each([
    ['line ends of several kinds', 'file,folder,alt_en\r\na.jpg,/x,old\nb.jpg,/x,new\rc.jpg,/x,last'],
    ['a hint for spreadsheets', 'sep=;\r\nfile;folder;alt_en\na.jpg;/x;old\nb.jpg;/x;new\nc.jpg;/x;last'],
    ['tabs, in another order', 'alt_en\tid\tfolder\tfile\nold\t1\t/x\ta.jpg\nnew\t\t/x\tb.jpg\nlast\t3\t/x/\tc.jpg'],
    ['blank lines', '\n\nFile,Folder,ALT_EN\na.jpg,/x,old\n\nb.jpg,/x,new\nc.jpg,/x,last\n\n'],
    ['empty cells at the end', 'file,folder,alt_en\na.jpg,/x,old,,\nb.jpg,/x,new\nc.jpg,/x,last,\nd.jpg,/x,\ne.jpg'],
  ])('may have %s', (_, text) => {
    expect(table(text)).toEqual(['/x/a.jpg | en | old', '/x/b.jpg | en | new', '/x/c.jpg | en | last'])
  })

  it.each([
    ['keeps the spaces of names, and takes them off texts', '" a.jpg",/x, a lake ', '/x/ a.jpg | en | a lake'],
    ['has folders of Windows', 'a.jpg,C:\\x\\y,a lake', 'C:\\x\\y\\a.jpg | en | a lake'],
    ['may have characters that were lost before it was written', 'a.jpg,,Caf\ufffd', 'a.jpg | en | Caf\ufffd'],
    [
      'gives texts a blank for each control character',
      'a.jpg,,A\u000bboat\u000con\u0085it',
      'a.jpg | en | A boat on it',
    ],
  ])('%s', (_, row, text) => {
    expect(table(`file,folder,alt_en\n${row}\n`)).toEqual([text])
  })

  it('has languages with a region', () => {
    expect(table('file,alt_pt-br\na.jpg,um lago\n')).toEqual(['a.jpg | pt-br | um lago'])
  })

  it('that is broken UTF-8 is refused rather than read as something else', () => {
    const bytes = Buffer.concat([Buffer.from('file,alt_de\na.jpg,Höhe über M'), Buffer.from([0xc3]), Buffer.from('\n')])
    expect(() => table(bytes)).toThrow(/UTF-8/)
    expect(table(Buffer.from('file,alt_de\na.jpg,Höhe über Meer\n', 'latin1'))).toEqual(['a.jpg | de | Höhe über Meer'])
  })

  it('is in the code page of its languages, or refused with what to save it as', () => {
    // "Łódź żółta" in Windows-1250, and "Höhe" as a Mac and DOS have it.
    const polish = (head: string) => Buffer.from(`${head}\na.jpg,\xa3\xf3d\x9f \xbf\xf3\xb3ta`, 'latin1')
    expect(table(polish('file,alt_pl'))).toEqual(['a.jpg | pl | Łódź żółta'])
    expect(table(polish('sep=,\r\nfile,ALT_PL'))).toEqual(['a.jpg | pl | Łódź żółta'])
    for (const head of ['file,alt_ja', 'file,alt_pl,alt_fr', 'file,alt_de'])
      expect(() => table(polish(head)), head).toThrow(/save it as UTF-8/)
    for (const letter of ['\x9a', '\x94'])
      expect(() => table(Buffer.from(`file,alt_de\na.jpg,H${letter}he`, 'latin1'))).toThrow(/save it as UTF-8/)
  })

  it('says which content its texts are about', () => {
    const [one, two] = readTexts('csv', Buffer.from(`file,alt_en,sha256\na.jpg,x,${'AB'.repeat(32)}\nb.jpg,y,`)).texts
    expect([one?.sha256, two?.sha256]).toEqual(['ab'.repeat(32), null])
    const json = [{ path: 'a.jpg', image: { sha256: 'ab'.repeat(32) }, texts: [{ languageCode: 'en', altText: 'x' }] }]
    expect(readTexts('json', Buffer.from(JSON.stringify(json))).texts[0]?.sha256).toBe('ab'.repeat(32))
  })

  it('says which records cannot be read', () => {
    const rows = 'file;folder;alt_de|a.jpg;/x;Ein See|b.jpg,/x,Ein Haus|;/x;Ein Baum|c.jpg|"d, e.jpg";/x|;/x;'.split(
      '|',
    )
    expect(readTexts('csv', Buffer.from(rows.join('\n')))).toMatchObject({
      texts: [{ path: '/x/a.jpg', altText: 'Ein See' }],
      unread: [3, 4],
    })
  })

  it('is read in bounded time and memory, whatever is in it', () => {
    const codesOf = (length: number) =>
      Array.from({ length }, (_, n) => `alt_${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`).join()
    const codes = codesOf(150)
    expect(table(`file,${codes}\n${'a,x\n'.repeat(100_000)}`)).toHaveLength(100_000)
    expect(table(`file,alt_en\na,"${"'=;".repeat(1_000_000)}"\n`)[0]).toHaveLength(3_000_008)
    // Fewer cells than in the header, of which each takes a library an error with its stack.
    expect(table(`file,${codes}\n${'a\n'.repeat(1_000_000)}`)).toEqual([])
    expect(() => readTexts('json', Buffer.from(`[${'1,'.repeat(2_000_000)}1]`))).toThrow(/^The file.*\(0 Invalid input/)
    expect(() => table(`file,${codesOf(676)}\na,x`)).toThrow(/676 languages/)
  })
})

describe('the cells of a table', () => {
  const message = (text: string) => {
    try {
      table(text)
    } catch (error) {
      return String(error)
    }
    return 'taken'
  }
  it.each([
    ['a quote that is not closed', 'file,alt_en\na.jpg,"b\nc.jpg,d\n', /quote is not closed in line 2/],
    ['text after a closing quote', 'file,alt_en\n\na.jpg,"b" c\n', /after a closing quote in line 3/],
    ['a quote in a cell without quotes', 'file,alt_en\na.jpg,b "c"\n', /a quote within a cell.* in line 2/],
  ])('say where there is %s', (_, text, why) => expect(message(text)).toMatch(why))

  it('may have separators, line ends and quotes in quotes', () => {
    expect(table('\ufefffile,alt_en\r\n"a,b.jpg","one ""two""\r\nthree"\r\n"","x"\r\n""\r\n')).toEqual([
      'a,b.jpg | en | one "two"\r\nthree',
    ])
  })
})

describe('a translated document', () => {
  const document = (encoding: string, words: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="pl"><file id="f" original="/p/a.jpg"><unit id="alt"><segment><source>A</source><target>${words}</target></segment></unit></file></xliff>`

  it('is read in bounded time, however many attributes and namespaces are in it', () => {
    const [head] = document('UTF-8', '|').split('|')
    const many = (count: number, attribute: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => attribute(n))
    const hostile = [
      `${head}<mrk ${many(200_000, (n) => `a${n}="1"`).join(' ')}/>`,
      `${head}<mrk ${many(100_000, (n) => `xmlns:a${n}="u"`).join(' ')}/>`,
      `${head}${many(60, (n) => `<mrk ${many(500, (m) => `xmlns:a${n}_${m}="u"`).join(' ')}>`).join('')}${'<b/>'.repeat(200_000)}`,
    ]
    for (const text of hostile)
      expect(() => readTexts('xliff', Buffer.from(text))).toThrow(
        /more than 1000 (?:attributes of an element|namespaces)/,
      )
  })

  it('says which of its files name no picture', () => {
    const one = '<file id="f"><unit id="alt"><segment><source>A</source><target>Ä</target></segment></unit></file>'
    const two = document('UTF-8', 'b').replace('</xliff>', `${one}</xliff>`)
    expect(readTexts('xliff', Buffer.from(two))).toMatchObject({ texts: [{ altText: 'b' }], unread: [2] })
  })

  it('has no half of a character', () => {
    const { texts } = readTexts('xliff', Buffer.from(document('UTF-8', 'b<cp hex="D83D"/>c<cp hex="1F600"/>')))
    expect(texts[0]?.altText).toBe('bc😀')
  })

  it('is in the encoding that it names', () => {
    const [before, after] = document('ISO-8859-2', '|').split('|')
    const polish = Buffer.concat([Buffer.from(before!), Buffer.from([0xbf, 0xf3, 0xb3, 0xe6]), Buffer.from(after!)])
    expect(readTexts('xliff', polish).texts[0]?.altText).toBe('żółć')
    expect(readTexts('xliff', Buffer.from(`\ufeff${document('UTF-16', 'żółć')}`, 'utf16le')).texts[0]?.altText).toBe(
      'żółć',
    )
    expect(() => readTexts('xliff', Buffer.from(document('x-mystery', 'a')))).toThrow('x-mystery')
  })
})
