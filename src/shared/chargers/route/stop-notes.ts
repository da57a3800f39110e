/** What a pilot should know about a charge stop. */
export type StopNote =
  | 'fit_not_known'
  | 'hours_not_known'
  | 'closed_at_arrival'
  | 'closes_before_charged'
  | 'power_not_known'
  | 'state_not_known'
  | 'busy_now'
  | 'limited_now'
  | 'offline_now'
  | 'was_broken'
  | 'not_listed'
  | 'single_charger'
  | 'no_alternate'

/** The notes that are warnings. */
export const STOP_WARNINGS: readonly StopNote[] = [
  'closed_at_arrival',
  'closes_before_charged',
  'was_broken',
  'not_listed',
  'single_charger',
  'no_alternate',
]
