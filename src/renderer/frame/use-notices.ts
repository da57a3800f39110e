import { t } from 'i18next'
import { useEffect } from 'react'
import type { Notice } from '../../shared/contract/stream.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { offerIntake } from '../intake/take-files.ts'
import { onNotice } from '../store/shell-store.ts'
import { useView } from '../store/view-store.ts'
import { listText } from '../text/figures.ts'
import { toast } from '../store/toasts.ts'

/** More names than these are a list, not a line. */
const NAMED_MISSING = 3

export function useNotices(): void {
  useEffect(() => onNotice(show), [])
}

function show(notice: Notice): void {
  if (notice.kind === 'offer') return showOffer(notice)
  const { kind, title, body, address } = notice
  // The banner over the content shows it while it lasts.
  if (kind === 'confirm_spend') return
  // There, each picture says it itself.
  if (kind === 'batch_done' && address === '#/jobs?states=done' && useView.getState().place === 'jobs') return
  const run = () => {
    location.hash = address
  }
  toast([title, body].filter(Boolean).join(' · '), { action: { label: t('frame:notice.show'), run } })
}

function showOffer({ missing, places }: Extract<Notice, { kind: 'offer' }>): void {
  const named = missing.slice(0, NAMED_MISSING).map(straightText)
  const names = listText(missing.length > named.length ? [...named, '…'] : named)
  if (missing.length > 0) toast(t('frame:notice.notThere', { count: missing.length, names }))
  offerIntake(places)
}
