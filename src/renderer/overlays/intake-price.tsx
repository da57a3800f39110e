import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { PriceLine } from './price-line.tsx'

/** What the pictures would cost, next to what is there. */
export function IntakePrice({ preview: { toSend, price, progress } }: { preview: IntakePreview }) {
  const { t } = useTranslation('intake')
  // It is asked for once it is known for how many.
  if (progress !== null) return null
  if (toSend === 0) return <p className="price">{t('price.free')}</p>
  if (price === null) return <p className="price secondary">{t('price.unknown')}</p>
  return <PriceLine price={price} />
}
