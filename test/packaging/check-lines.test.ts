import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { countLines, judgeLines, SLACK_LINES } from '../../scripts/check-lines.mjs'
import { folderForTest } from '../temp-folder.ts'

test('the lines of src are those of its TypeScript and CSS in Git', async () => {
  const dir = folderForTest()
  await mkdir(path.join(dir, 'src', 'deep'), { recursive: true })
  const files = {
    'one.ts': 'a\nb\n',
    'deep/two.tsx': 'c\n',
    'deep/three.css': 'd\n\n',
    'texts.json': '{\n}\n',
    'gone.ts': 'e\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, 'src', name), text)
  execFileSync('git', ['init', '--quiet'], { cwd: dir })
  execFileSync('git', ['add', '.'], { cwd: dir })
  await writeFile(path.join(dir, 'src', 'untracked.ts'), 'f\n')
  await rm(path.join(dir, 'src', 'gone.ts'))
  expect(await countLines(dir)).toBe(5)
})

test('more lines than the limit fail, and the advice is to take something away', () => {
  expect(judgeLines(1001, 1000)).toEqual({
    isOk: false,
    advice: expect.stringContaining('1 more than its limit of 1000') as string,
  })
})

test('a limit that is far above the count is to be lowered', () => {
  expect(judgeLines(1000, 1000)).toEqual({ isOk: true, advice: null })
  expect(judgeLines(1000, 1000 + SLACK_LINES)).toEqual({ isOk: true, advice: null })
  expect(judgeLines(1000, 1001 + SLACK_LINES)).toEqual({
    isOk: true,
    advice: expect.stringContaining('Lower srcLines') as string,
  })
})
