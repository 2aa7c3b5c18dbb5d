/** The header by which the app's worker tells the assets worker who asks. */
export const VIEWER_HEADER = 'slipway-viewer'
/** The header by which it says which products that person may use, divided by commas. */
export const PRODUCTS_HEADER = 'slipway-products'
