/** What a file says about one picture in one language. */
export interface GivenText {
  /** As it is written in the file. */
  path: string
  /** Of the picture that the text is about; null where the file does not say. */
  sha256: string | null
  languageCode: string
  /** Null where the file says nothing. */
  altText: string | null
  seoFilename: string | null
}

export interface GivenTexts {
  texts: GivenText[]
  /** Records of a table (the header is the first) or files of a document whose texts name no picture, or whose cells are separated otherwise. */
  unread: number[]
}
