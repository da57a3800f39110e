import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { jsonLines, startCli } from '../cli/harness.ts'
import { BUILT, itWith, programs } from '../needs.ts'
import { foldersForAll } from '../cli/for-all-tests.ts'

const TOKEN = 'a-token-for-monitors-0123456789'
const folders = foldersForAll()

itWith(BUILT, programs('promtool'))(
  '/metrics is what Prometheus takes, and its checker finds nothing to mend in it',
  async () => {
    const [dir, data] = [await folders.make('monitor'), await folders.make('data')]
    const file = join(dir, 'token')
    await writeFile(file, TOKEN, { mode: 0o600 })
    const serve = startCli(['serve', '--json', '--practice', '--data-dir', data, '--metrics-token-file', file])
    try {
      await serve.said(/"event":"serving"/)
      const { origin } = new URL(String(jsonLines(serve.text.stdout)[0]!['url']))
      const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
      const input = await answer.text()
      expect(input).toContain('hangar_jobs{state="done"}')
      const check = (text: string) => spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      const { status, stdout, stderr } = check(input)
      expect([status, stdout, stderr]).toEqual([0, '', ''])
      expect(check(input.replace('# HELP hangar_jobs ', '# HELP other ')).status).not.toBe(0)
    } finally {
      serve.child.kill('SIGTERM')
      await serve.ended
    }
  },
)
