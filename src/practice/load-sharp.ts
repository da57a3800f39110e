/** Loads sharp at the first picture: it takes 20 MB, and a service that nobody sends anything has no need of it. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Cached files of processed pictures would keep uploads from being deleted on Windows.
  sharp.cache(false)
  return sharp
}
