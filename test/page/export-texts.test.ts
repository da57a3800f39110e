import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportTexts, type ExportWishes } from '../../src/main/page/export-texts.ts'
import type { ExportedJob } from '../../src/shared/presentation/export-jobs.ts'
import { exportedJob } from './make-view.ts'

const ROOT = '/shop'

function picture(way: string, texts: Record<string, string>): ExportedJob {
  const [text] = exportedJob({}).texts
  const words = Object.entries(texts).map(([languageCode, altText]) => ({ ...text!, languageCode, altText }))
  return { ...exportedJob({}), path: join(ROOT, way), outputs: [], texts: words }
}

const JOBS = [
  picture('Blue Shirt/front 1.jpg', { en: 'A blue shirt | front', de: 'Ein blaues Hemd' }),
  picture('Blue Shirt/back.jpg', { en: 'Its back ! really' }),
  picture('mug.jpg', { en: 'A mug' }),
]
const exported = (wishes: Partial<ExportWishes>, jobs = JOBS) =>
  exportTexts(
    jobs,
    { format: 'csv', published: { baseUrl: 'https://cdn.example/files/', root: ROOT }, ...wishes },
    false,
  )

describe('a table for the import of a program', () => {
  it('has addresses and alt texts for a media library', () => {
    expect(
      exported({ profile: 'wordpress', languages: ['en'] })
        .text.split('\r\n')
        .slice(0, 2),
    ).toEqual(['image_url,alt_text', 'https://cdn.example/files/Blue%20Shirt/front%201.jpg,"A blue shirt | front"'])
  })

  it('has a line for each image of a product for Shopify, and says which texts are too long for it', () => {
    const long = picture('mug.jpg', { en: 'x'.repeat(513) })
    expect(exported({ profile: 'shopify' }, [picture('Blue Shirt/back.jpg', { en: 'Back' }), long])).toEqual({
      text: [
        'Handle,Image Src,Image Alt Text',
        'blue-shirt,https://cdn.example/files/Blue%20Shirt/back.jpg,Back',
        `mug,https://cdn.example/files/mug.jpg,${'x'.repeat(513)}`,
        '',
      ].join('\r\n'),
      tooLong: 1,
      leftOut: 0,
    })
  })

  it('has all images of a product in one cell for WooCommerce', () => {
    expect(exported({ profile: 'woocommerce', languages: ['en'] }).text).toBe(
      [
        'SKU,Images',
        'Blue Shirt,"https://cdn.example/files/Blue%20Shirt/front%201.jpg ! alt : A blue shirt / front | https://cdn.example/files/Blue%20Shirt/back.jpg ! alt : Its back! really"',
        'mug,https://cdn.example/files/mug.jpg ! alt : A mug',
        '',
      ].join('\r\n'),
    )
  })

  it('keeps apart what a text or an address could hold of its separators', () => {
    const { text } = exported({ profile: 'woocommerce' }, [
      picture('a.jpg', { en: '! danger |' }),
      picture('b.jpg', { en: 'Quelle vue !' }),
    ])
    expect(text.split('\r\n').slice(1, 3)).toEqual([
      'a,https://cdn.example/files/a.jpg ! alt : ! danger /',
      'b,https://cdn.example/files/b.jpg ! alt : Quelle vue!',
    ])
  })

  it('leaves out what has no text in its language, but not decoration, and says how many', () => {
    const jobs = [
      picture('a.jpg', { en: 'A' }),
      picture('b.jpg', { de: 'B' }),
      { ...picture('c.jpg', {}), decorative: true },
    ]
    const { text, leftOut } = exported({ profile: 'wordpress', languages: ['en'] }, jobs)
    expect([text.split('\r\n').length - 2, leftOut]).toEqual([2, 1])
  })

  it('is refused where two products could not be told apart, or one has no name', () => {
    const of = (...ways: string[]) =>
      exported(
        { profile: 'shopify' },
        ways.map((way) => picture(way, { en: 'A' })),
      )
    expect(() => of('shoes/red/a.jpg', 'hats/red/b.jpg')).toThrow(/hats\/red and .*shoes\/red/)
    expect(() => of('Red Shoe/a.jpg', 'red-shoe/b.jpg')).toThrow(/same product/)
    expect(() => of('a.b.jpg', 'a.b.png')).toThrow(/same product/)
    expect(() => of('★/a.jpg')).toThrow(/no letters or digits/)
    expect(of('हिन्दी/a.jpg').text).toContain('\nहिन्दी,')
  })

  it('is in one language, and of files that are published', () => {
    expect(() => exported({ profile: 'shopify' })).toThrow('de, en')
    expect(() => exported({ profile: 'shopify', languages: ['fr'] })).toThrow('fr')
    const outside = { ...JOBS[0]!, path: '/elsewhere/a.jpg' }
    expect(() => exported({ profile: 'shopify', languages: ['en'] }, [outside])).toThrow('/elsewhere/a.jpg')
  })
})

it('names files in a page by their addresses', () => {
  const { text } = exported({ format: 'markdown', languages: ['de'] })
  expect(text).toContain('de: ![Ein blaues Hemd](https://cdn.example/files/Blue%20Shirt/front%201.jpg)')
  expect(text).not.toContain('A mug')
})

describe('a document for a translator', () => {
  it('goes from English, or from another language, into the one that is named', () => {
    const document = (wishes: Partial<ExportWishes>) => exported({ format: 'xliff', ...wishes }).text
    expect(document({})).toContain('version="2.0" srcLang="en">')
    expect(document({ to: 'de' })).toContain('<source>A blue shirt | front</source><target>Ein blaues Hemd</target>')
    expect(document({ to: 'en' })).toContain('srcLang="de" trgLang="en"')
    expect(document({ from: 'de' })).toContain('srcLang="de">')
  })

  it.each([
    [{ from: 'fr' }, /There are: de, en/],
    [{ from: 'en', to: 'en' }, /two different/],
  ])('is refused for %j', (wishes, said) => {
    expect(() => exported({ format: 'xliff', ...wishes })).toThrow(said)
  })

  it('goes into a language that no picture has a text in, as does a table, but not what is published', () => {
    expect(exported({ format: 'xliff', to: 'fr' }).text).toContain('srcLang="en" trgLang="fr"')
    const [head, first] = exported({ format: 'csv', languages: ['en', 'fr'] }).text.split('\r\n')
    expect(head).toContain(',alt_en,seo_name_en,alt_fr,seo_name_fr,')
    expect(first).toContain('A blue shirt | front",photo,,,')
    const json = JSON.parse(exported({ format: 'json', languages: ['fr'] }).text) as { texts: unknown[] }[]
    expect(json[0]!.texts).toEqual([{ languageCode: 'fr', altText: '', seoFilename: '', edited: false }])
    for (const format of ['html', 'markdown'] as const)
      expect(() => exported({ format, languages: ['fr'] })).toThrow(/There are: de, en/)
  })

  it('leaves out pictures whose paths XML cannot hold, since their texts could come back to others', () => {
    const jobs = [picture('a\u0001b.jpg', { en: 'A' }), picture('ab.jpg', { en: 'B' })]
    const { text, leftOut } = exported({ format: 'xliff' }, jobs)
    expect(text.match(/original="[^"]*"/g)).toEqual(['original="/shop/ab.jpg"'])
    expect(leftOut).toBe(1)
  })
})
