import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract.ts'
import { PriceLine } from './price-line.tsx'

/** What the pictures would cost, next to what is there. */
export function IntakePrice({ preview: { toSend, price } }: { preview: IntakePreview }) {
  const { t } = useTranslation('intake')
  if (toSend === 0) return <p className="price">{t('price.free')}</p>
  if (price === null) return <p className="price secondary">{t('price.unknown')}</p>
  return <PriceLine price={price} />
}
