import { readdir } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { prepareDataFolder } from '../../src/main/journal/data-folder.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import { folderWithPictures, jsonLines, runCli, startCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

let data: string
const hangar = (...args: string[]) => runCli([...args, '--data-dir', data])

/** As the window saves them. */
beforeAll(async () => {
  data = folderForAll()
  await prepareDataFolder(data)
  const db = openJournal(data)
  const save = (id: string, recipe: Partial<Recipe>) =>
    new Documents(db).put('recipe', id, { id, recipe: { ...DEFAULT_RECIPE, ...recipe } })
  save('b', { name: 'Shop', operation: 'convert', format: 'avif', quality: 41 })
  save('a', { name: 'Press\u001b[31m\u009b2J\u202e', operation: 'optimize', languages: ['de', 'fr'] })
  db.close()
})

it('are listed with the default one first, and shown by name, whatever its case', async () => {
  const { code, stdout } = await hangar('recipes')
  expect(code).toBe(0)
  expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Web default', 'process', 'en', 'webp', 'default'],
    [expect.stringMatching(/^Press/) as string, 'optimize', 'de, fr', 'webp'],
    ['Shop', 'convert', 'en', 'avif'],
    [''],
  ])
  expect(stdout).not.toContain('\u001b')
  const listed = jsonLines((await hangar('recipes', '--json')).stdout)
  expect(listed.map((one) => [one['event'], one['default']])).toEqual([
    ['recipe', true],
    ['recipe', false],
    ['recipe', false],
  ])
  const shown = await hangar('recipes', 'show', 'shop')
  expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'Shop', quality: 41 })
  const hostile = await hangar('recipes', 'show', 'press\u001b[31m\u009b2J\u202e')
  expect(hostile.stdout).toContain('"Press\\u001b[31m\\u009b2J\\u202e"')
  expect(hostile.stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  expect(jsonLines((await hangar('recipes', 'show', 'web default', '--json')).stdout)[0]).toMatchObject({
    default: true,
    recipe: { name: 'Web default' },
  })
})

it.each([
  ['recipes', 'show', 'Shopp'],
  ['run', '.', '--recipe', 'Shopp'],
  ['watch', '.', '--recipe', 'Shopp'],
])('that is not there is said to be so: %s', async (...args) => {
  const { code, stdout, stderr } = await hangar(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('There is no recipe with the name "Shopp".')
})

it('is what a run begins with, and its other flags change', async () => {
  const pictures = await folderWithPictures(['a.jpg'])
  expect((await hangar('run', pictures, '--recipe', 'SHOP', '--dry-run')).stdout).toContain('a.avif')
  expect((await hangar('run', pictures, '--recipe', 'Shop', '--format', 'webp')).code).toBe(0)
  expect((await readdir(pictures)).sort()).toContain('a.webp')
})

it('is taken over for a folder that is remembered with another one', async () => {
  const practice = await startPractice()
  const pictures = folderForAll()
  const watch = async (...args: string[]) => {
    const running = startCli(['watch', pictures, ...args, '--data-dir', data], { env: practice.env })
    await running.said(/Stop with Ctrl/)
    await running.stop()
    return jsonLines((await hangar('folders', '--json')).stdout)[0]!['recipe']
  }
  expect(await watch('--quality', '60')).toMatchObject({ operation: 'process', quality: 60 })
  expect(await watch('--recipe', 'Shop')).toMatchObject({ name: 'Shop', operation: 'convert', quality: 41 })
  expect(await watch('--quality', '50')).toMatchObject({ name: 'Shop', operation: 'convert', quality: 50 })
  await practice.stop()
})
