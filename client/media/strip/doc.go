// Package strip makes copies of media files without what they say of people, places and devices. Pictures and sound stay as they are, bit
// for bit: nothing is decoded. It may import the standard library, assay/client/i18n and client/media's packages blocks and facts.
//
// Its functions read and write whole files, so they belong on workers.
package strip
