/**
 * The widths in pixels in which copies of a picture can exist. A fixed list, so that a file's copies can be deleted without searching for
 * them.
 */
export const IMAGE_WIDTHS = [64, 128, 256, 512, 1024, 2048] as const

export type ImageWidth = (typeof IMAGE_WIDTHS)[number]
