import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import terminal from '../../../src/shared/sentences/terminal.json' with { type: 'json' }
import sentences from '../../../src/shared/text/en/sentences.json' with { type: 'json' }

const SRC = join(import.meta.dirname, '../../../src')
const ENGLISH = join(SRC, 'shared/text/en')
const CATALOGUES = globSync('*.json', { cwd: ENGLISH }).map((file): [string, object] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(join(ENGLISH, file), 'utf8')) as object,
])
/** What is looked up by codes of the engine, as other tests say; the packages (scripts/packages) use what menus say. */
const BY_CODE =
  /^entry:|^sentences:|^reasons:((quote|nothingSent|animationNotConverted)$|(reason|atPractice|note|noteWithout|lacking|cleaned|credit|step|stepAtPractice|state|event|onComputer)\.)/

/** One file as far as it can name a text: whole literals, and templates with what stands between their places. */
interface Names {
  literals: Set<string>
  templates: RegExp[]
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The folders of a place may use its words without naming them: they are handed on. */
function namesIn(path: string, folders: readonly string[]): Names {
  const names: Names = { literals: new Set(folders), templates: [] }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) names.literals.add(node.text)
    if (ts.isTemplateExpression(node) || ts.isTemplateLiteralTypeNode(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      const namespace = /^([a-z]+):/.exec(parts[0]!)?.[1]
      if (namespace !== undefined) names.literals.add(namespace)
      if (/[a-z]/i.test(parts.join('').replace(/^[a-z]+:/, '')))
        names.templates.push(new RegExp(`^${parts.map(escaped).join('(.+)')}$`))
    }
    ts.forEachChild(node, visit)
  }
  const text = readFileSync(path, 'utf8')
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind))
  return names
}

/** Puts codes into words, and so is no use of a text. */
const LISTS = /\breason-sentences\.ts$/

/** Puts words into index.html. */
const BUILD = join('..', 'electron.vite.config.ts')

const FILES = [BUILD, ...globSync('{main,renderer,shared,preload}/**/*.{ts,tsx}', { cwd: SRC })]
  .filter((file) => !file.startsWith(join('shared', 'text')) && !LISTS.test(file))
  .map((file) => namesIn(join(SRC, file), file.split(sep)))
const EVERY_LITERAL = new Set(FILES.flatMap(({ literals }) => [...literals]))

function keysOf(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [before + name] : keysOf(value as object, `${before}${name}.`),
  )
}

/** What fills a template's places has to stand somewhere itself. */
function isMade(key: string, { templates }: Names): boolean {
  return templates.some((template) => {
    const parts = template.exec(key)?.slice(1)
    return parts?.every((part) => EVERY_LITERAL.has(part)) === true
  })
}

/** Whether something names the text: with its namespace anywhere, without it only where the namespace is named. */
function isUsed(namespace: string, key: string): boolean {
  const singular = key.replace(/_(zero|one|other)$/, '')
  return FILES.some((file) => {
    const { literals } = file
    const isAtHome = namespace === 'shell' || literals.has(namespace)
    const names = (name: string) => literals.has(`${namespace}:${name}`) || (isAtHome && literals.has(name))
    if (names(singular)) return true
    return isMade(`${namespace}:${singular}`, file) || (isAtHome && isMade(singular, file))
  })
}

describe('a text', () => {
  it.each(CATALOGUES)('of “%s” is used somewhere', (namespace, texts) => {
    const keys = keysOf(texts).filter((key) => !BY_CODE.test(`${namespace}:${key}`))
    expect(keys.filter((key) => !isUsed(namespace, key))).toEqual([])
  })

  it('that nothing uses would be found', () => {
    expect(isUsed('jobs', 'nobody.saysThis')).toBe(false)
    expect(isUsed('shell', 'menu.teleport')).toBe(false)
    expect(isUsed('jobs', 'chip.failed')).toBe(true)
  })

  it("is one of Hangar's own sentences only where something says it", () => {
    const names = Object.keys(sentences).filter((name) => !name.startsWith('network_'))
    expect(names.filter((name) => !EVERY_LITERAL.has(name))).toEqual([])
  })
})

it('What is in English alone is said by the command line alone, and all of it', () => {
  const elsewhere = globSync('{main,renderer,shared,preload}/**/*.{ts,tsx}', { cwd: SRC }).filter(
    (file) => !file.startsWith(join('main', 'cli')) && !file.startsWith(join('shared', 'text')) && !LISTS.test(file),
  )
  expect(elsewhere.length).toBeGreaterThan(100)
  const codes = Object.keys(terminal)
  const said = (file: string) => codes.filter((code) => readFileSync(join(SRC, file), 'utf8').includes(`'${code}'`))
  expect(elsewhere.flatMap(said)).toEqual([])
  expect(codes.filter((code) => !EVERY_LITERAL.has(code))).toEqual([])
})
