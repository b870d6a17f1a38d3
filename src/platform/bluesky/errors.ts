/** Owns the errors that an answer alone does not explain. None of them holds a secret. */

/** Something failed before the write was sent, so that nothing can have landed. */
export class NotSent extends Error {
  override readonly name = 'NotSent'

  constructor(cause: unknown) {
    super('Nothing was sent.', { cause })
  }
}

/** The owner changed or removed what the write rests on; the network did not apply it. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** The credentials cannot be used, or cannot be replaced here. Its message is our own words. */
export class UnusableCredentials extends Error {
  override readonly name = 'UnusableCredentials'
}
