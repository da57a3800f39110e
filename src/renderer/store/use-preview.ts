import { useRef } from 'react'
import type { PageRequest } from '../../shared/contract/calls.ts'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { ask } from './bridge.ts'
import { useAsked, type Answer } from './use-answer.ts'

/** Delay between polls of an incomplete preview. */
const MORE_MS = 100

/**
 * The preview of an intake while it is being computed; it is stopped when the request changes or the component unmounts.
 * `isBusy` until it is complete. `value` is that of the previous request until the first picture was read.
 */
export function usePreview(request: PageRequest<'intake.preview'> | null, delayMs = 0): Answer<IntakePreview> {
  /** Whether a complete one is shown. */
  const isWhole = useRef(false)
  return useAsked<PageRequest<'intake.preview'>, IntakePreview>(request, { delayMs }, async (given, tell, signal) => {
    let result = await ask('intake.preview', given)
    for (;;) {
      const progress = result.ok ? result.value.progress : null
      if (!signal.aborted && !(progress?.inspected === 0 && isWhole.current)) {
        isWhole.current = result.ok && progress === null
        tell(result, progress === null)
      }
      if (progress === null) return
      await new Promise((resolve) => setTimeout(resolve, MORE_MS))
      if (signal.aborted) {
        await ask('intake.stopPreview', { id: progress.id })
        return
      }
      result = await ask('intake.morePreview', { id: progress.id })
    }
  })
}
