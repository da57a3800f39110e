import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { PriceLine } from './price-line.tsx'

/** The price of the pictures, and the balance; why there is none is said elsewhere. */
export function IntakePrice({ preview: { toSend, price, progress } }: { preview: IntakePreview }) {
  const { t } = useTranslation('intake')
  // It is requested once the number of pictures is known.
  if (progress !== null) return null
  if (toSend === 0) return <p className="price">{t('price.free')}</p>
  return price === null ? null : <PriceLine price={price} />
}
