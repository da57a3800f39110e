import { CirclePause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useShell } from '../store/shell-store.ts'
import { useBatchPrice } from '../store/use-batch-price.ts'
import { showOverlay } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { useSpoken } from '../parts/speech.tsx'

/** Over the content while work waits for a person to approve its price: the first batch, and how many more there are. */
export function SpendBanner() {
  const { t, i18n } = useTranslation('frame')
  const confirmations = useShell(({ state }) => state?.confirmations)
  const first = confirmations?.[0]
  const { answer } = useBatchPrice(first?.batchId ?? null, first?.held ?? 0)
  const words = () => {
    if (first === undefined) return null
    const count = (figure: number) => countText(figure, i18n.language)
    const held = { count: first.held, shown: count(first.held) }
    if (!first.confirmable) return t('spend.capped', held)
    return answer?.ok
      ? t('spend.waitsPriced', { ...held, credits: count(answer.value.required) })
      : t('spend.waits', held)
  }
  const text = words()
  useSpoken(text)
  if (confirmations === undefined || first === undefined) return null
  const more = confirmations.length - 1
  return (
    // The figures change constantly: `useSpoken` announces them now and then instead.
    <div className="frame-bar" role="status" aria-live="off">
      <CirclePause size={16} aria-hidden />
      <p className="figures">
        {text}
        {more > 0 ? <span className="secondary"> {t('spend.more', { count: more })}</span> : null}
      </p>
      <Button onClick={() => showOverlay({ kind: 'confirmSpend', batchId: first.batchId })}>{t('spend.review')}</Button>
    </div>
  )
}
