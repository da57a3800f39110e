import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { folderWithPictures, jsonLines, runCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

let pictures: string
let data: string
let file: string

const hangar = (...args: string[]) => runCli([...args, '--data-dir', data])
const inSidecar = async (name: string) =>
  (JSON.parse(await readFile(join(pictures, `${name}.alt.json`), 'utf8')) as Sidecar).translations[0]!
interface Sidecar {
  translations: { seoAltText: string; edited?: boolean; byRule?: boolean }[]
}

beforeAll(async () => {
  const practice = await startPractice()
  pictures = await folderWithPictures(['a.jpg', 'b.jpg'])
  data = folderForAll()
  file = join(folderForAll(), 'rules.json')
  await writeFile(file, JSON.stringify([{ kind: 'replace', from: 'practice', to: 'exercise' }]))
  const run = await runCli(['run', pictures, '--rules', file, '--json', '--data-dir', data], { env: practice.env })
  expect(run).toMatchObject({ code: 0 })
  const done = jsonLines(run.stdout).filter(({ event, state }) => event === 'job' && state === 'done')
  expect(done).toMatchObject([{ notes: [NOTE] }, { notes: [NOTE] }])
  await practice.stop()
})

const NOTE = { code: 'words_changed', detail: 'en' }

it('apply to the texts that come from the service', async () => {
  for (const name of ['a.jpg', 'b.jpg']) {
    const { seoAltText, ...marks } = await inSidecar(name)
    expect(seoAltText).toContain('Exercise')
    expect(seoAltText).not.toMatch(/practice/i)
    expect(marks).toMatchObject({ edited: true, byRule: true })
    const shown = await hangar('jobs', join(pictures, name))
    expect(shown.stdout).toContain('(by a word rule)')
    expect(shown.stdout).not.toContain('(edited)')
  }
})

it('are tried on texts that are there, and change nothing then', async () => {
  const before = (await inSidecar('a.jpg')).seoAltText
  await writeFile(
    file,
    JSON.stringify([
      { kind: 'replace', from: 'practice', to: 'rehearsal' },
      { kind: 'length', most: 20 },
    ]),
  )
  const tried = await hangar('rules', 'try', '--rules', file)
  expect(tried.code).toBe(0)
  expect(tried.stdout).toContain(`a.jpg (en)\n  - ${before}\n  + ${before.replace('Exercise', 'Rehearsal')}\n`)
  expect(tried.stdout).toContain('Longer than the recipe allows, in characters:')
  expect(tried.stderr).toBe('2 texts of 2 would change, 2 are flagged.\n')
  expect((await inSidecar('a.jpg')).seoAltText).toBe(before)
  // A folder and a picture in it.
  expect((await hangar('rules', 'try', pictures, join(pictures, 'b.jpg'), '--rules', file)).code).toBe(0)
})

it('are applied to those that are named, only when a person agrees, and are undone like an edit', async () => {
  const before = (await inSidecar('a.jpg')).seoAltText
  const asked = await hangar('rules', 'apply', join(pictures, 'a.jpg'), '--rules', file)
  expect(asked).toMatchObject({ code: 1 })
  expect(asked.stderr).toContain('1 text would change. Nothing was changed: run again with --yes.')
  expect((await inSidecar('a.jpg')).seoAltText).toBe(before)
  const applied = await hangar('rules', 'apply', join(pictures, 'a.jpg'), '--rules', file, '--yes')
  expect(applied).toMatchObject({ code: 0 })
  expect(applied.stderr).toContain('1 text changed.')
  expect(await inSidecar('a.jpg')).toMatchObject({ seoAltText: before.replace('Exercise', 'Rehearsal'), byRule: true })
  expect((await inSidecar('b.jpg')).seoAltText).toContain('Exercise')
  // Rules that are gone give the service's text back.
  await writeFile(file, JSON.stringify([{ kind: 'never', words: 'hangar' }]))
  expect(await hangar('rules', 'apply', '--rules', file, '--yes')).toMatchObject({ code: 0 })
  expect(await inSidecar('a.jpg')).toMatchObject({ seoAltText: before.replace('Exercise', 'Practice') })
  expect(await inSidecar('a.jpg')).not.toHaveProperty('edited')
})

it('are refused with all that is wrong, wherever they come from', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await hangar('rules', 'try', ...args)
    expect(code).toBe(2)
    return stderr
  }
  expect(await refused()).toContain('The recipe "Web default" has no word rules.')
  expect(await hangar('rules', 'try', '--recipe', 'nobody')).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('nobody') as string,
  })
  expect((await hangar('rules', 'try', '--recipe', 'nobody')).code).not.toBe(0)
  expect(await refused('--rules', file, '--recipe', 'x')).toBe('Give either --rules or --recipe.\n')
  expect(await refused('--rules', file, 'elsewhere')).toContain('There are no texts of elsewhere')
  await writeFile(file, '[{"kind":"never","word":"x"},{"kind":"length","most":0}]')
  const why = await refused('--rules', file)
  expect(why).toContain('[0].words: This is missing: give a text.')
  expect(why).toContain('[0].word: There is no such member.')
  expect(why).toContain('[1].most: Give at least 1.')
  await writeFile(file, 'never: stunning')
  expect(await refused('--rules', file)).toContain('This is not JSON')
  expect(await hangar('run', pictures, '--rules', file, '--dry-run')).toMatchObject({ code: 2 })
})
