import { CirclePause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useEffect, useState } from 'react'
import { ask } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { showOverlay } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../ui/button.tsx'

/** A batch that is still being taken in grows: its price is asked for when it has come to rest. */
const REST_MS = 1500
/** The service may be away for a while. */
const RETRY_MS = 15_000

/** Over the content while work waits for a person's word about its price: the first of it, and how much more there is. */
export function SpendBanner() {
  const { t, i18n } = useTranslation('frame')
  const confirmations = useShell(({ state }) => state?.confirmations)
  const first = confirmations?.[0]
  const price = usePriceOf(first?.batchId ?? null, first?.held ?? 0)
  if (confirmations === undefined || first === undefined) return null
  const count = (figure: number) => countText(figure, i18n.language)
  const held = { count: first.held, shown: count(first.held) }
  const text = !first.confirmable
    ? t('spend.capped', held)
    : price === null
      ? t('spend.waits', held)
      : t('spend.waitsPriced', { ...held, credits: count(price) })
  const more = confirmations.length - 1
  return (
    <div className="frame-bar" role="status">
      <CirclePause size={16} aria-hidden />
      <p className="figures">
        {text}
        {more > 0 ? <span className="secondary"> {t('spend.more', { count: more })}</span> : null}
      </p>
      <Button onClick={() => showOverlay({ kind: 'confirmSpend', batchId: first.batchId })}>{t('spend.review')}</Button>
    </div>
  )
}

/** What a batch's held pictures cost; null until it is known for as many as are held now. Asked on until there is an answer. */
function usePriceOf(batchId: string | null, held: number): number | null {
  const [known, setKnown] = useState<{ batchId: string; held: number; credits: number } | null>(null)
  useEffect(() => {
    if (batchId === null) return
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const askAfter = (delayMs: number) => {
      timer = setTimeout(() => {
        void ask('batches.price', { id: batchId }).then((result) => {
          if (isGone) return
          if (result.ok) setKnown({ batchId, held, credits: result.value.required })
          else askAfter(RETRY_MS)
        })
      }, delayMs)
    }
    askAfter(REST_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [batchId, held])
  return known?.batchId === batchId && known.held === held ? known.credits : null
}
