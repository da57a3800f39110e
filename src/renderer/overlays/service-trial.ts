import { useEffect, useRef, useState } from 'react'
import i18next from 'i18next'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { errorText } from '../text/error-text.ts'

export interface Trouble {
  field: 'address' | 'key'
  message: string
  /** A person may use address and key nevertheless: `refused` ones are not stored yet, `unchecked` ones are. */
  canKeep: 'refused' | 'unchecked' | null
}

/**
 * Sets address and key of the image service, and tests the key with one free call. If that failed, both are reset when the form
 * is closed, unless the person keeps them.
 */
export function useServiceTrial(onDone: () => void) {
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const before = useRef<string | null>(useShell.getState().state?.settings.imageBaseUrl ?? null)
  const isOnTrial = useRef(false)
  const hasNewKey = useRef(false)
  useEffect(
    () => () => {
      if (isOnTrial.current) inBackground('settings.set', () => takeBack(before.current, hasNewKey.current))
    },
    [],
  )
  const done = () => {
    isOnTrial.current = false
    onDone()
  }
  const run = async (imageBaseUrl: string, key: string, keepRefused = false) => {
    setIsBusy(true)
    isOnTrial.current = true
    const { found, isNew } = await tryThem(imageBaseUrl, key, keepRefused)
    hasNewKey.current = isNew
    setIsBusy(false)
    setTrouble(found)
    if (found === null) done()
  }
  return { trouble, isBusy, run, keep: done }
}

/** What an address is to blame for, as far as can be told: nothing answers there, or something else does. */
const OF_THE_ADDRESS: readonly string[] = ['address_wrong', 'address_insecure', 'service_unreachable']

async function takeBack(imageBaseUrl: string | null, hasNewKey: boolean): Promise<void> {
  if (hasNewKey) await ask('keys.delete', { name: 'image' })
  await ask('settings.set', { imageBaseUrl })
}

/** `isNew`: there was no key before. */
async function tryThem(
  imageBaseUrl: string,
  key: string,
  keepRefused: boolean,
): Promise<{ found: Trouble | null; isNew: boolean }> {
  const nothingNew = (found: Trouble) => ({ found, isNew: false })
  const set = await ask('settings.set', { imageBaseUrl })
  if (!set.ok) return nothingNew({ field: 'address', message: errorText(set.error), canKeep: null })
  const status = await ask('keys.status', { name: 'image' })
  const stored = await ask('keys.set', { name: 'image', key, address: imageBaseUrl, keepRefused })
  if (!stored.ok) {
    if (stored.error.code !== 'key_refused')
      return nothingNew({ field: 'key', message: errorText(stored.error), canKeep: null })
    return nothingNew({ field: 'key', message: i18next.t('settings:keyRefused'), canKeep: 'refused' })
  }
  const isNew = status.ok && !status.value.present
  const { check, problem } = stored.value
  if (check !== 'unchecked') return { found: null, isNew }
  const why = problem === null ? '' : errorText(problem)
  const message = i18next.t('settings:keyUnchecked', { why })
  return {
    found: {
      field: problem !== null && OF_THE_ADDRESS.includes(problem.code) ? 'address' : 'key',
      message,
      canKeep: 'unchecked',
    },
    isNew,
  }
}
