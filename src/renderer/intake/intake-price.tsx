import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { useSendingWaits } from './intake-hindrance.tsx'
import { PriceLine } from './price-line.tsx'

/** The price of the pictures, and the balance. */
export function IntakePrice({ preview: { toSend, price, progress } }: { preview: IntakePreview }) {
  const { t } = useTranslation('intake')
  const waits = useSendingWaits()
  // It is requested once the number of pictures is known.
  if (progress !== null) return null
  if (toSend === 0) return <p className="price">{t('price.free')}</p>
  // Why there is none is said below.
  if (price === null && waits) return null
  if (price === null) return <p className="price secondary">{t('price.unknown')}</p>
  return <PriceLine price={price} />
}
