/** The header by which the app's worker tells the assets worker who asks. */
export const VIEWER_HEADER = 'slipway-viewer'
/** Ids of the products that this person may use, separated by commas. */
export const PRODUCTS_HEADER = 'slipway-products'
