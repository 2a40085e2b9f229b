/// Where we differ from the other reader, each with its reason.
enum FeedparserLists {
    private static let markup = "markup is kept as it came; the other reader sanitizes it and writes it anew"
    private static let ids = "ids are kept verbatim, relative ones too (SK1)"
    private static let links =
        "links holds elements of Atom; a link of RSS is the url, a file is an enclosure"
    private static let values = "values of extensions are text as it came, but for white space around it"
    private static let base = "addresses are absolute in the record, so no base is told"
    private static let language = "a record has one language, that of its content"
    private static let header = "belongs to the answer, which the engine keeps"
    private static let length = "files have a length, links have none"
    private static let asText = "stands among the extensions, as text"
    private static let guid =
        "whether an id is an address shows by the url, and does not matter to the key (SK1)"
    private static let names = "asks which names the other reader gives to extensions"
    private static let place = "positions stand among the extensions as they came"

    static let ruledOut = NamedList([
        "wellformed/atom10/missing_quote_in_attr.xml": markup,
        "wellformed/atom10/qna.xml": markup,
        "wellformed/atom10/tag_in_attr.xml": markup,
        "wellformed/namespace/atommathml.xml": markup,
        "wellformed/namespace/atomsvg.xml": markup,
        "wellformed/namespace/atomsvgdesc.xml": markup,
        "wellformed/namespace/atomsvgtitle.xml": markup,
        "wellformed/namespace/atomxlink.xml": markup,
        "wellformed/namespace/rss2.0mathml.xml": markup,
        "wellformed/namespace/rss2.0svg.xml": markup,
        "wellformed/namespace/rss2.0svg5.xml": markup,
        "wellformed/namespace/rss2.0xlink.xml": markup,
        "wellformed/rss/item_description_br.xml": markup,
        "wellformed/rss/item_description_br_shorttag.xml": markup,
        "wellformed/rss/item_description_not_a_doctype.xml": markup,
        "wellformed/base/http_entry_id_base_content_location.xml": ids,
        "wellformed/base/http_entry_id_base_docuri.xml": ids,
        "wellformed/base/http_feed_id_base_content_location.xml": ids,
        "wellformed/base/http_feed_id_base_docuri.xml": ids,
        "wellformed/cdf/channel_href_map_links.xml": links,
        "wellformed/cdf/item_href_map_links.xml": links,
        "wellformed/rss/channel_image_link_bleed.xml": links,
        "wellformed/rss/channel_textInput_link_bleed.xml": links,
        "wellformed/rss/item_image_link_bleed.xml": links,
        "wellformed/rss/item_enclosure_url.xml": links,
        "wellformed/itunes/itunes_channel_block_true.xml": values,
        "wellformed/itunes/itunes_channel_block_whitespace.xml": values,
        "wellformed/itunes/itunes_channel_explicit_whitespace.xml": values,
        "wellformed/itunes/itunes_item_block_true.xml": values,
        "wellformed/itunes/itunes_item_block_whitespace.xml": values,
        "wellformed/itunes/itunes_item_explicit_whitespace.xml": values,
    ])

    static let failing = NamedList([
        "wellformed/atom/entry_published_parsed_date_overwriting.xml":
            "of two elements of one meaning the first counts",
        "wellformed/base/feed_link_xml_base_iri.xml": "a host in letters beyond ASCII is no base",
        "wellformed/lang/entry_content_xml_lang_blank.xml":
            "an empty language is none: the feed's then holds",
        "wellformed/lang/entry_content_xml_lang_blank_2.xml":
            "an empty language is none: the feed's then holds",
        "wellformed/rss/item_description_and_summary.xml":
            "a summary beside a description is the summary, whichever comes first",
    ])

    static let repairs = NamedList([
        "wellformed/rdf/doctype_contains_entity_decl.xml": "what a document type declares is not followed",
        "wellformed/rss/entity_in_doctype.xml":
            "entities of a document's own are resolved by the second reading",
    ])

    static let charsets = NamedList([:])

    static let unmapped = NamedList([
        "entries.#.content.#.base": base,
        "entries.#.summary_detail.base": base,
        "entries.#.title_detail.base": base,
        "feed.copyright_detail.base": base,
        "feed.info_detail.base": base,
        "feed.tagline_detail.base": base,
        "feed.title_detail.base": base,
        "entries.#.summary_detail.language": language,
        "entries.#.title_detail.language": language,
        "feed.copyright_detail.language": language,
        "feed.info_detail.language": language,
        "feed.tagline_detail.language": language,
        "feed.title_detail.language": language,
        "entries.#.links.#.length": length,
        "entries.#.source.links.#.length": length,
        "feed.links.#.length": length,
        "entries.#.where": place,
        "entries.#.where.coordinates": place,
        "entries.#.where.coordinates.#": place,
        "entries.#.where.type": place,
        "etag": header,
        "modified": header,
        "modified_parsed": header,
        "entries.#.expired_parsed": asText,
        "feed.validity_end": asText,
        "feed.validity_end_parsed": asText,
        "feed.validity_start": asText,
        "feed.validity_start_parsed": asText,
        "entries.#.publisher_detail.email": asText,
        "entries.#.publisher_detail.name": asText,
        "feed.newlocation": asText,
        "entries.#.guidislink": guid,
        "feed": names,
    ])
}
