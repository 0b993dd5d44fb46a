"""What kinds of places are called in English, Finnish, Swedish, German, French and Spanish."""

from collections.abc import Iterator, Mapping
from typing import Final

from maps.extract.words import phrase, words
from maps.tags import KEYS

NAMES: Final[Mapping[str, str]] = {
    "amenity=arts_centre": "arts centre, arts center, kulttuurikeskus, kulturhus, Kulturzentrum, centre culturel",
    "amenity=atm": "ATM, cash machine, cashpoint, pankkiautomaatti, otto, bankomat, Geldautomat, distributeur, cajero",
    "amenity=bank": "bank, pankki, Bank, banque, banco",
    "amenity=bar": "bar, cocktail bar, baari, Kneipe",
    "amenity=bicycle_rental": "bike rental, bike share, pyörävuokraamo, cykeluthyrning, Fahrradverleih",
    "amenity=biergarten": "beer garden, biergarten",
    "amenity=bureau_de_change": "currency exchange, money exchange, rahanvaihto, valutaväxling, Wechselstube",
    "amenity=bus_station": "bus terminal, linja-autoasema, busstation, Busbahnhof, gare routière",
    "amenity=cafe": "cafe, coffee, coffee shop, coffee house, kahvila, kafé, kaffe, Kaffeehaus, cafetería",
    "amenity=car_rental": "car hire, rental car, autovuokraamo, biluthyrning, Autovermietung, location de voitures",
    "amenity=car_wash": "car wash, autopesu, biltvätt, Autowäsche",
    "amenity=charging_station": "EV charging, charger, latausasema, laddstation, Ladestation",
    "amenity=childcare": "day care, daycare, nursery, päiväkoti",
    "amenity=cinema": "movie theater, movies, elokuvateatteri, leffateatteri, biograf, bio, Kino, cinéma, cine",
    "amenity=clinic": "medical centre, medical center, health centre, klinikka, lääkäriasema, klinik, Klinik, clinique",
    "amenity=college": "opisto, oppilaitos, collège",
    "amenity=community_centre": "community center, asukastalo, Gemeindezentrum",
    "amenity=coworking_space": "coworking, shared office, yhteisöllinen työtila",
    "amenity=dentist": "dental clinic, hammaslääkäri, tandläkare, Zahnarzt, dentiste, dentista",
    "amenity=doctors": "doctor, physician, GP, general practitioner, lääkäri, läkare, Arzt, médecin, médico",
    "amenity=driving_school": "driving lessons, autokoulu, körskola, Fahrschule, auto-école, autoescuela",
    "amenity=embassy": "consulate, suurlähetystö, ambassad, Botschaft, ambassade, embajada",
    "amenity=events_venue": "event venue, venue, juhlatila",
    "amenity=fast_food": "takeaway, takeout, pikaruoka, snabbmat, Imbiss, restauration rapide, comida rápida",
    "amenity=ferry_terminal": "ferry, lauttaterminaali, färjeterminal, Fähre",
    "amenity=fire_station": "fire brigade, paloasema, brandstation, Feuerwehr, pompiers, bomberos",
    "amenity=fuel": "gas station, petrol station, filling station, huoltoasema, bensa-asema, bensinstation, "
    "Tankstelle, station-service, gasolinera",
    "amenity=hospital": "sairaala, sjukhus, Krankenhaus, hôpital",
    "amenity=ice_cream": "ice cream shop, gelato, jäätelö, jäätelökioski, glass, Eisdiele, glacier, heladería",
    "amenity=kindergarten": "preschool, päiväkoti, förskola, Kindergarten, Kita, école maternelle, guardería",
    "amenity=language_school": "language courses, kielikoulu, Sprachschule",
    "amenity=library": "kirjasto, bibliotek, Bibliothek, Bücherei, bibliothèque, biblioteca",
    "amenity=marketplace": "market, kauppahalli, tori, marknad, Markt, marché, mercado",
    "amenity=music_school": "music lessons, musiikkikoulu, musikskola, Musikschule",
    "amenity=nightclub": "night club, club, disco, yökerho, nattklubb, Nachtclub, boîte de nuit, discoteca",
    "amenity=parking": "car park, parking lot, parking garage, pysäköinti, parkkihalli, parkering, Parkplatz, Parkhaus",
    "amenity=pharmacy": "drugstore, chemist, apteekki, apotek, Apotheke, pharmacie, farmacia",
    "amenity=place_of_worship": "church, mosque, temple, synagogue, kirkko, moskeija, kyrka, Kirche, église, iglesia",
    "amenity=police": "police station, poliisi, poliisiasema, polis, Polizei, policía",
    "amenity=post_office": "post, posti, Post, bureau de poste, correos",
    "amenity=pub": "pub, beer, kapakka, olut, krog, Kneipe",
    "amenity=public_bath": "public sauna, uimahalli, Therme",
    "amenity=recycling": "kierrätys, återvinning, Wertstoffhof, recyclage",
    "amenity=restaurant": "dining, eatery, ravintola, restaurang, Restaurant, Gaststätte, restaurante, ristorante",
    "amenity=school": "koulu, skola, Schule, école, escuela",
    "amenity=swimming_pool": "pool, uima-allas",
    "amenity=taxi": "cab, taksi, taxi stand, taksiasema",
    "amenity=theatre": "theater, teatteri, teater, Theater, théâtre, teatro",
    "amenity=toilets": "toilet, restroom, WC, vessa, toalett, Toilette, aseos",
    "amenity=townhall": "town hall, city hall, kaupungintalo, stadshus, Rathaus, mairie, ayuntamiento",
    "amenity=university": "yliopisto, universitet, Universität, université, universidad",
    "amenity=veterinary": "vet, veterinarian, eläinlääkäri, veterinär, Tierarzt, vétérinaire, veterinario",
    "craft=brewery": "panimo, bryggeri, Brauerei, brasserie, cervecería",
    "craft=carpenter": "joiner, puuseppä, snickare, Tischler, menuisier, carpintero",
    "craft=electrician": "sähköasentaja, elektriker, Elektriker, électricien, electricista",
    "craft=locksmith": "lukkoseppä, låssmed, Schlüsseldienst, serrurier, cerrajero",
    "craft=photographer": "photo studio, valokuvaaja, fotograf, Fotograf, photographe, fotógrafo",
    "craft=plumber": "plumbing, putkimies, rörmokare, Klempner, plombier, fontanero",
    "craft=shoemaker": "shoe repair, cobbler, suutari, skomakare, Schuster, cordonnier, zapatero",
    "craft=tailor": "alterations, räätäli, ompelimo, skräddare, Schneider, tailleur, sastre",
    "healthcare=physiotherapist": "physiotherapy, physical therapy, fysioterapia, sjukgymnast, Physiotherapie, kiné",
    "healthcare=psychotherapist": "psychotherapy, therapist, psykoterapia, terapeut, Psychotherapie",
    "leisure=dance": "dance school, dance studio, tanssikoulu, dansskola, Tanzschule",
    "leisure=fitness_centre": "gym, fitness, fitness center, health club, kuntosali, gym, Fitnessstudio, "
    "salle de sport, gimnasio",
    "leisure=garden": "puutarha, trädgård, Garten, jardin, jardín",
    "leisure=park": "puisto, Park, parc, parque",
    "leisure=playground": "leikkipuisto, lekplats, Spielplatz, aire de jeux, parque infantil",
    "leisure=sauna": "sauna, bastu, Sauna",
    "leisure=sports_centre": "gym, sports center, sports hall, urheiluhalli, idrottshall, Sporthalle, polideportivo",
    "leisure=stadium": "arena, stadion, Stadion, stade, estadio",
    "leisure=swimming_pool": "pool, uimahalli, simhall, Schwimmbad, piscine, piscina",
    "office=accountant": "accounting, bookkeeping, tilitoimisto, bokföring, Steuerberater, comptable, contable",
    "office=coworking": "coworking, shared office",
    "office=employment_agency": "recruitment, staffing, henkilöstöpalvelu, Personalvermittlung",
    "office=estate_agent": "real estate, realtor, kiinteistönvälittäjä, mäklare, Immobilien, agence immobilière",
    "office=insurance": "vakuutus, försäkring, Versicherung, assurance, seguros",
    "office=lawyer": "attorney, law firm, legal, asianajaja, lakitoimisto, advokat, Rechtsanwalt, avocat, abogado",
    "office=ngo": "charity, non-profit, järjestö, förening, Verein",
    "shop=alcohol": "liquor store, wine shop, bottle shop, alko, viinakauppa, systembolaget, Getränkemarkt",
    "shop=antiques": "antiikki, antikvariat, Antiquitäten, antiquités",
    "shop=bakery": "baker, bread, leipomo, bageri, Bäckerei, boulangerie, panadería",
    "shop=beauty": "beauty salon, cosmetologist, kauneushoitola, skönhetssalong, Kosmetik, institut de beauté",
    "shop=bicycle": "bike shop, bicycle shop, bike, pyöräkauppa, cykelaffär, Fahrradladen, magasin de vélos",
    "shop=books": "bookshop, bookstore, book, kirjakauppa, bokhandel, Buchhandlung, librairie, librería",
    "shop=butcher": "meat, lihakauppa, slaktare, Metzger, Fleischer, boucherie, carnicería",
    "shop=car": "car dealer, autokauppa, bilhandlare, Autohaus, concessionnaire",
    "shop=car_repair": "garage, mechanic, autokorjaamo, bilverkstad, Werkstatt, garage automobile, taller",
    "shop=clothes": "clothing, fashion, vaatekauppa, klädaffär, Kleidung, Mode, vêtements, ropa",
    "shop=computer": "computer store, tietokonekauppa, dator, Computer, informatique",
    "shop=confectionery": "candy, sweets, karkkikauppa, godis, Süßwaren, confiserie",
    "shop=convenience": "convenience store, corner shop, lähikauppa, närbutik, épicerie",
    "shop=cosmetics": "makeup, kosmetiikka, Kosmetik",
    "shop=department_store": "tavaratalo, varuhus, Kaufhaus, grand magasin, grandes almacenes",
    "shop=doityourself": "DIY, hardware store, home improvement, rautakauppa, byggvaruhus, Baumarkt, bricolage",
    "shop=electronics": "electronics store, elektroniikka, elektronik, Elektronik, électronique",
    "shop=florist": "flower shop, flowers, kukkakauppa, blomsterhandel, Blumenladen, fleuriste, floristería",
    "shop=furniture": "furniture store, huonekalut, möbler, Möbel, meubles, muebles",
    "shop=gift": "souvenir, gift shop, lahjatavara, present, Geschenke, cadeaux, regalos",
    "shop=hairdresser": "barber, hair salon, haircut, kampaamo, parturi, frisör, Friseur, coiffeur, peluquería",
    "shop=hardware": "hardware store, rautakauppa, järnaffär, Eisenwaren, quincaillerie, ferretería",
    "shop=jewelry": "jewellery, jeweller, jeweler, kultaseppä, korut, juvelerare, Juwelier, bijouterie, joyería",
    "shop=kiosk": "newsstand, kioski, Kiosk, kiosque, quiosco",
    "shop=laundry": "laundromat, launderette, dry cleaning, pesula, tvätt, Wäscherei, laverie, lavandería",
    "shop=mall": "shopping centre, shopping center, shopping mall, ostoskeskus, kauppakeskus, köpcentrum, "
    "Einkaufszentrum, centre commercial, centro comercial",
    "shop=massage": "massage, hieronta, hieroja, Massage",
    "shop=mobile_phone": "phone shop, cell phone, puhelinkauppa, mobil, Handy",
    "shop=music": "record shop, records, levykauppa, skivaffär, disquaire",
    "shop=musical_instrument": "music store, instruments, soitinkauppa, Musikinstrumente",
    "shop=optician": "glasses, eyewear, optometrist, optikko, silmälasit, optiker, Optiker, opticien, óptica",
    "shop=outdoor": "outdoor equipment, camping, retkeily, friluft",
    "shop=pet": "pet shop, pet store, eläinkauppa, djuraffär, Tierhandlung, animalerie, mascotas",
    "shop=second_hand": "thrift store, used goods, kirpputori, loppis, Secondhand, friperie",
    "shop=shoes": "shoe shop, shoe store, footwear, kenkäkauppa, skor, Schuhe, chaussures, zapatería",
    "shop=sports": "sporting goods, sports shop, urheilukauppa, sportaffär, Sportgeschäft",
    "shop=stationery": "office supplies, paperikauppa, Schreibwaren, papeterie, papelería",
    "shop=supermarket": "grocery, groceries, grocery store, food store, ruokakauppa, ruokakauppa, mataffär, livsmedel, "
    "Supermarkt, supermarché, supermercado",
    "shop=tattoo": "tattoo studio, tatuointi, tatuering, Tätowierung",
    "shop=toys": "toy shop, toy store, toy, lelukauppa, leksaker, Spielwaren, jouets, juguetería",
    "shop=travel_agency": "travel agent, matkatoimisto, resebyrå, Reisebüro, agence de voyages, agencia de viajes",
    "tourism=apartment": "holiday apartment, vacation rental, loma-asunto, Ferienwohnung",
    "tourism=aquarium": "akvaario, akvarium",
    "tourism=artwork": "art, public art, sculpture, statue, taideteos, patsas, konstverk, Kunstwerk",
    "tourism=attraction": "sight, sightseeing, nähtävyys, sevärdhet, Sehenswürdigkeit, curiosité, atracción",
    "tourism=camp_site": "campsite, campground, camping, leirintäalue, campingplats, Campingplatz",
    "tourism=gallery": "art gallery, galleria, taidegalleria, galleri, Galerie, galería",
    "tourism=guest_house": "bed and breakfast, B&B, majatalo, vandrarhem, Pension, chambre d'hôtes",
    "tourism=hostel": "hostelli, vandrarhem, Jugendherberge, auberge de jeunesse, albergue",
    "tourism=hotel": "accommodation, lodging, hotelli, hotell, Hotel, hôtel",
    "tourism=information": "tourist information, visitor centre, matkailuneuvonta, turistinformation, Touristinfo",
    "tourism=museum": "museo, museet, Museum, musée",
    "tourism=viewpoint": "view, näköalapaikka, utsiktsplats, Aussichtspunkt, mirador",
    "tourism=zoo": "eläintarha, djurpark, Zoo, Tierpark",
}

# What every place of a key is called, whatever its kind.
KEY_NAMES: Final[Mapping[str, str]] = {
    "shop": "shop, store, kauppa, liike, affär, butik, Laden, Geschäft, magasin, boutique, tienda",
    "office": "office, toimisto, kontor, Büro, bureau, oficina",
    "healthcare": "healthcare, health care, terveydenhuolto, sjukvård, Gesundheit, santé",
    "craft": "craft, workshop, handwerker, artisan",
}
FEATURES: Final = ("cuisine", "religion", "sport")
DIET: Final = "diet:"
# As words of their own they would find half of all kinds.
VAGUE: Final = frozenset({"centre", "of", "shop", "yes", "space", "place"})


def labels(tags: Mapping[str, str]) -> set[str]:
    """The kinds of a place as index labels: `amenity=cafe`, `shop=*`, `cuisine=italian`, `diet=vegan`."""
    found = {f"{key}={value}" for key in (*KEYS, *FEATURES) for value in _values(tags.get(key, ""))}
    found |= {f"{key}=*" for key in KEY_NAMES if tags.get(key, "no") != "no"}
    diets = (key.removeprefix(DIET) for key, value in tags.items() if key.startswith(DIET) and value in {"yes", "only"})
    return found | {f"diet={diet}" for diet in diets}


def phrases(label: str) -> set[str]:
    """What one asks for when one means a label, as folded phrases."""
    key, _, value = label.partition("=")
    if value == "*":
        return set(_folded(KEY_NAMES[key]))
    own = words(value)
    return {" ".join(own), *(word for word in own if word not in VAGUE), *_folded(NAMES.get(label, ""))} - {"", "ye"}


def _values(value: str) -> Iterator[str]:
    """Several kinds stand in one tag with semicolons between them."""
    for part in value.casefold().split(";"):
        kind = "_".join(part.split())
        if kind not in {"", "no", "yes"}:
            yield kind


def _folded(names: str) -> Iterator[str]:
    yield from filter(None, map(phrase, names.split(",")))
