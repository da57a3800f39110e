import { expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { reasonParagraphs } from '../../src/main/cli/job-report.ts'
import { say } from '../../src/shared/sentences/sentence.ts'

const failed = (format: string) =>
  ({
    state: 'failed',
    serviceId: 'https://a',
    reason: { code: 'other_type', detail: say('is_format', { format }) },
  }) as JobView

it('the closing block gives a detail where all pictures have it, and none where they differ', () => {
  const [same] = reasonParagraphs([failed('HEIC'), failed('HEIC')])
  expect(same).toMatch(/^2 failed: .*Its format is HEIC\./)
  const [mixed] = reasonParagraphs([failed('HEIC'), failed('TIFF'), failed('HEIC')])
  expect(mixed).toMatch(/^3 failed: /)
  expect(mixed).not.toMatch(/HEIC\.|TIFF/)
})
