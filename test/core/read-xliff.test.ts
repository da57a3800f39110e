import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readXliff as readDocument } from '../../src/main/core/read-xliff.ts'
import { xliffOf } from '../../src/shared/presentation/xliff.ts'
import { markupText } from '../../src/shared/text/safe-characters.ts'
import { exportedJob } from '../page/make-view.ts'

const readXliff = (document: string) => readDocument(document).texts.map(({ sha256: _, ...text }) => text)
const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0'
const wrap = (unit: string, attributes = 'srcLang="en" trgLang="de"') =>
  `<?xml version="1.0"?><xliff xmlns="${NAMESPACE}" version="2.0" ${attributes}><file id="f" original="/p/a.jpg"><unit id="alt">${unit}</unit></file></xliff>`
const altOf = (unit: string) => readXliff(wrap(unit))[0]?.altText ?? null

describe('a translated document', () => {
  it('says for each picture what its texts are in the language of the translation', () => {
    const job = exportedJob({ alt: 'A red hangar' })
    const document = xliffOf([job], { from: 'en', to: null })
    expect(document).toContain('<source>A red hangar</source></segment>')
    const translated = document
      .replace('srcLang="en"', 'srcLang="en" trgLang="de-AT"')
      .replace('hangar</source>', 'hangar</source><target>Ein roter Hangar</target>')
    expect(readXliff(translated)).toEqual([
      { path: job.path, languageCode: 'de-at', altText: 'Ein roter Hangar', seoFilename: null },
    ])
    expect(readXliff(translated.replace('Ein roter Hangar', 'A red hangar'))).toEqual([])
  })

  it('brings back any text and path unharmed', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).map((words) => words.trim())
    fc.assert(
      fc.property(text, text, (words, path) => {
        fc.pre(
          [words, path].every((one) => one !== '' && markupText(one).replace(/&#?\w+;/g, '?').length === one.length),
        )
        const job = { ...exportedJob({ alt: words }), path }
        const [given] = readXliff(xliffOf([job], { from: 'en', to: 'en' }))
        expect(given).toMatchObject({ path, altText: words })
      }),
    )
  })

  const said = (words: string, attributes = '') => `<source>A</source><target${attributes}>${words}</target>`
  const segment = (words: string, attributes = '') => `<segment>${said(words, attributes)}</segment>`
  const SPACE = '<ignorable><source> </source></ignorable>'
  const MATCHES = 'xmlns:m="urn:oasis:names:tc:xliff:matches:2.0"'
  const code =
    'ein <sc id="1" dataRef="d"/>roter<ec startRef="1"/><ph id="2" disp="…"/> <sm id="3"/>Hangar<em startRef="3"/>'
  it.each([
    ['in several segments', `${segment('Eins.')}${SPACE}${segment('Zwei.')}`, 'Eins. Zwei.'],
    ['in another order', `${segment('B', ' order="3"')}${SPACE}${segment('A', ' order="1"')}`, 'A B'],
    [
      'with marks and controls',
      segment('ein <mrk id="m" type="term">roter</mrk> <pc id="1">Han<cp hex="0007"/>gar</pc>'),
      'ein roter Han gar',
    ],
    ['in part', `${segment('Eins.')}<segment><source>B.</source></segment>`, null],
    ['empty', segment(''), null],
    [
      'with proposals of a program',
      `<m:matches ${MATCHES}><m:match ref="#s">${said('falsch')}</m:match></m:matches>${segment('richtig')}`,
      'richtig',
    ],
    ['with what a program indents', segment('\r\n  ein\r\n  Hangar\r\n'), 'ein Hangar'],
    ['with its own line ends where they count', `<segment xml:space="preserve">${said('a\nb')}</segment>`, 'a b'],
    [
      'with codes that a program put in',
      `<originalData><data id="d">&lt;b></data></originalData><segment state="final" subState="x:y">${said(code)}</segment>`,
      'ein roter Hangar',
    ],
    [
      'with remarks of a translator',
      `<notes><note category="query">falsch?</note></notes>${segment('richtig')}`,
      'richtig',
    ],
    ['as CDATA', segment('<![CDATA[a < b]]>'), 'a < b'],
  ])('is taken %s', (_, unit, words) => {
    expect(altOf(unit)).toBe(words)
  })

  it('is taken with another prefix for each name, in groups, and with an id in place of the path', () => {
    const job = { ...exportedJob({ alt: 'A' }), path: 'C:\\Shop\\Tür 1_a%.jpg' }
    const document = xliffOf([job], { from: 'en', to: 'de' })
      .replace(/ original="[^"]*"/, '')
      .replace('</source>', '</source><target>B</target>')
      .replace(/<unit [^]*<\/unit>/, (units) => `<group id="g">${units}</group>`)
      .replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')
      .replace('xmlns=', 'xmlns:x=')
    expect(readXliff(document)).toEqual([{ path: job.path, languageCode: 'de', altText: 'B', seoFilename: null }])
  })

  it('says a text of a picture twice where the document does', () => {
    const unit = (id: string, target: string) =>
      `<unit id="${id}"><segment><source>A</source>${target}</segment></unit>`
    const document = wrap('').replace(
      '<unit id="alt"></unit>',
      unit('alt', '<target>B</target>') + unit('alt', '<target>C</target>') + unit('alt', ''),
    )
    expect(readXliff(document).map(({ altText }) => altText)).toEqual(['B', 'C'])
  })

  it.each([
    ['is no XML', 'file,alt_de', /./],
    [
      'is of version 1.2',
      '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>',
      /1\.2: save it as XLIFF 2\.0/,
    ],
    ['says of no picture which one it is', wrap('').replace('original="/p/a.jpg"', ''), /which picture/],
    ['has an id that names none', wrap('').replace('id="f" original="/p/a.jpg"', 'id="p1._ff"'), /which picture/],
    ['names no language', wrap('', 'srcLang="en"'), /trgLang/],
    ['defines entities', `<!DOCTYPE xliff [<!ENTITY a "b">]>${wrap('')}`, /document type/],
    ['is cut off', wrap('').slice(0, -30), /./],
    ['has nothing in it', '<?xml version="1.0"?>', /not XLIFF 2/],
    ['is nested too deeply', wrap('<g xmlns:b="u">'.repeat(20_000)), /more than 100 elements/],
  ])('is refused where it %s', (_, document, why) => {
    expect(() => readXliff(document)).toThrow(why)
  })
})
