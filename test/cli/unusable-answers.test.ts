import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OddService } from '../odd-service.ts'
import { Folders, runCli } from './harness.ts'

const folders = new Folders()
let service: OddService
beforeEach(async () => {
  service = await OddService.open()
})
afterEach(async () => {
  await service.close()
  await folders.removeAll()
})

/** Answers that say nothing about the job they are asked for. */
const UNUSABLE: Record<string, (response: ServerResponse) => void> = {
  'that is too deep': (response) => response.writeHead(200).end('['.repeat(500_000) + ']'.repeat(500_000)),
  'that is no JSON': (response) => response.writeHead(200).end('<html>'),
}

async function run(): Promise<{ code: number | null; stdout: string; states: string[] }> {
  const pictures = await folders.withPictures(['a.jpg', 'b.jpg'])
  const data = await folders.make('data')
  const env = { HANGAR_SERVICE_URL: service.baseUrl, HANGAR_API_KEY: 'key' }
  const common = ['--data-dir', data]
  const args = ['run', pictures, '--operation', 'optimize', '--wait', '2', '--json', ...common]
  const { code, stdout } = await runCli(args, { env })
  const states = new Map<string, string>()
  for (const line of stdout.split('\n').filter((text) => text.includes('"event":"job"'))) {
    const { path, state } = JSON.parse(line) as { path: string; state: string }
    states.set(path, state)
  }
  return { code, stdout, states: [...states.values()].sort() }
}

describe('a run whose last picture gets an answer', () => {
  it.each(Object.keys(UNUSABLE))(
    '%s to its poll ends when --wait is over, with the other picture done',
    async (what) => {
      service.onPoll = (_, response, job) => {
        if (job?.id === 'JOB-1') UNUSABLE[what]!(response)
        return job?.id === 'JOB-1'
      }
      const { code, states } = await run()
      expect({ code, states }).toEqual({ code: 6, states: ['done', 'waiting'] })
      // The other picture is sent although the first one was asked for in vain.
      expect(service.jobs).toHaveLength(2)
    },
  )
})
