/** The header by which the app's worker tells the assets worker who asks. */
export const VIEWER_HEADER = 'slipway-viewer'
