import type { ComponentProps } from 'react'
import { fragmentOf, PLACE_ONLY, type Address } from '../store/address.ts'

type To = Pick<Address, 'place'> & Partial<Address>

/** A link to a place, or to something in it: it can be opened in another tab, copied and bookmarked. */
export function PlaceLink({ to, className = '', ...rest }: { to: To } & Omit<ComponentProps<'a'>, 'href'>) {
  return <a {...rest} className={`place-link ${className}`} href={fragmentOf({ ...PLACE_ONLY, ...to })} />
}
