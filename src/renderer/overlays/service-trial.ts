import { useEffect, useRef, useState } from 'react'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { errorText } from '../text/error-text.ts'

export interface Trouble {
  field: 'address' | 'key'
  message: string
  /** Both were stored and only the test failed, as it does without a network: a person may leave them in use. */
  canKeep: boolean
}

/**
 * Sets address and key of the image service and tests them with one free call. What did not work out is taken back when the
 * form goes away, unless the person keeps it: nobody is left with a service that does nothing.
 */
export function useServiceTrial(onDone: () => void) {
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const before = useRef<string | null>(useShell.getState().state?.settings.imageBaseUrl ?? null)
  const isOnTrial = useRef(false)
  useEffect(
    () => () => {
      if (isOnTrial.current) inBackground('settings.set', () => ask('settings.set', { imageBaseUrl: before.current }))
    },
    [],
  )
  const keep = () => {
    isOnTrial.current = false
    onDone()
  }
  const run = async (imageBaseUrl: string, key: string) => {
    setIsBusy(true)
    isOnTrial.current = true
    const found = await firstTrouble(imageBaseUrl, key)
    setIsBusy(false)
    setTrouble(found)
    if (found === null) keep()
  }
  return { trouble, isBusy, run, keep }
}

async function firstTrouble(imageBaseUrl: string, key: string): Promise<Trouble | null> {
  const set = await ask('settings.set', { imageBaseUrl })
  if (!set.ok) return { field: 'address', message: errorText(set.error), canKeep: false }
  const stored = await ask('keys.set', { name: 'image', key, address: imageBaseUrl })
  if (!stored.ok) return { field: 'key', message: errorText(stored.error), canKeep: false }
  const tested = await ask('keys.test', { name: 'image' })
  if (!tested.ok) return { field: 'address', message: errorText(tested.error), canKeep: true }
  const { problem } = tested.value
  if (problem === null) return null
  return { field: problem.code === 'address_wrong' ? 'address' : 'key', message: errorText(problem), canKeep: true }
}
