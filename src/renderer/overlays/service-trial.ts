import { useEffect, useRef, useState } from 'react'
import i18next from 'i18next'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { errorText, isOfAddress } from '../store/error-text.ts'

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
  const [before] = useState(() => useShell.getState().state?.settings.imageBaseUrl ?? null)
  const isOnTrial = useRef(false)
  /** The address at which there was no key before this form stored one. */
  const newKeyAt = useRef<string | null>(null)
  useEffect(
    () => () => {
      if (isOnTrial.current) inBackground('settings.set', () => takeBack(before, newKeyAt.current))
    },
    [before],
  )
  const done = () => {
    isOnTrial.current = false
    onDone()
  }
  const run = async (imageBaseUrl: string, key: string, keepRefused = false) => {
    setIsBusy(true)
    isOnTrial.current = true
    // A key that was only tried at another address does not stay behind there.
    if (newKeyAt.current !== null && newKeyAt.current !== imageBaseUrl) {
      await ask('keys.delete', { name: 'image', address: newKeyAt.current })
      newKeyAt.current = null
    }
    const { found, isNew } = await tryThem(imageBaseUrl, key, keepRefused)
    if (isNew) newKeyAt.current = imageBaseUrl
    setIsBusy(false)
    setTrouble(found)
    if (found === null) done()
  }
  return { trouble, isBusy, run, keep: done, forget: () => setTrouble(null) }
}

async function takeBack(imageBaseUrl: string | null, newKeyAt: string | null): Promise<void> {
  if (newKeyAt !== null) await ask('keys.delete', { name: 'image', address: newKeyAt })
  await ask('settings.set', { imageBaseUrl })
}

/** `isNew`: there was no key before. */
async function tryThem(
  imageBaseUrl: string,
  key: string,
  keepRefused: boolean,
): Promise<{ found: Trouble | null; isNew: boolean }> {
  const set = await ask('settings.set', { imageBaseUrl })
  if (!set.ok) {
    const found: Trouble = { field: 'address', message: errorText(set.error), canKeep: null }
    return { found, isNew: false }
  }
  const nothingNew = (found: Trouble) => ({ found, isNew: false })
  const status = await ask('keys.status', { name: 'image' })
  const stored = await ask('keys.set', { name: 'image', key, address: imageBaseUrl, keepRefused })
  if (!stored.ok) {
    const field = isOfAddress(stored.error) ? 'address' : 'key'
    if (stored.error.code !== 'key_refused')
      return nothingNew({ field, message: errorText(stored.error), canKeep: null })
    return nothingNew({ field: 'key', message: i18next.t('settings:keyRefused'), canKeep: 'refused' })
  }
  const isNew = status.ok && !status.value.present
  const { check, problem } = stored.value
  if (check !== 'unchecked') return { found: null, isNew }
  const why = problem === null ? '' : errorText(problem)
  const message = i18next.t('settings:keyUnchecked', { why })
  const field = problem !== null && isOfAddress(problem) ? 'address' : 'key'
  return { found: { field, message, canKeep: 'unchecked' }, isNew }
}
