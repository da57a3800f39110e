/** What a file says about one picture in one language. */
export interface GivenText {
  /** As it is written in the file. */
  path: string
  languageCode: string
  /** Null where the file says nothing. */
  altText: string | null
  seoFilename: string | null
}
