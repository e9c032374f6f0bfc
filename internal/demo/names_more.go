package demo

// moreNameGroups are the groups with fewer applicants; two maps keep the files short.
var moreNameGroups = map[string]nameGroup{
	"ghanaian": {
		given:  words(`Abena Adwoa Afua Akosua Akua Ama Esi Yaa Efua Kofi Kwame Kwabena Kwaku Kwasi Kojo Yaw Kwadwo Ebenezer Emmanuel Gifty Mavis Nana Selorm Edem Elikem Dzifa`),
		family: words(`Addo Adjei Agyeman Amoah Ampofo Ansah Appiah Asante Asare Boakye Boateng Danso Darko Frimpong Gyasi Mensah Nkrumah Nyarko Ofori Opoku Oppong Osei Owusu Quaye Sarpong Tetteh Yeboah`),
	},
	"southslavic": {
		given: words(`Ana Aleksandar Bojana Boris Branko Danica Darko Dragana Dušan Filip Goran Ivana Jelena Jovana Katarina Luka Maja Marko Milan
			Milica Miloš Nataša Nemanja Nikola Petra Sanja Saša Slavica Snežana Stefan Tamara Tijana Uroš Vesna Vuk Željko Živko`),
		family: words(`Babić Bošković Božić Đorđević Đurić Filipović Hadžić Horvat Ilić Ivanović Janković Jovanović Knežević Kovač Kovačević
			Kralj Lukić Marić Marković Matić Mijatović Milošević Nikolić Novak Pavlović Perić Petrović Popović Savić Šarić Simić Stojanović
			Tomić Vasić Vuković Zupančič Živković`),
	},
	"czech": {
		given: words(`Adam Adéla Alena Barbora Dominik Eliška Eva František Hana Jakub Jana Jaroslav Jiří Kateřina Klára Kristýna Ladislav Lucia
			Lukáš Marek Martin Michaela Miroslav Monika Nikola Ondřej Pavel Petr Radka Šimon Soňa Tereza Tomáš Václav Veronika Vojtěch
			Zdeněk Zuzana Ľubomír`),
		family: words(`Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Král Růžička Beneš Fiala Sedláček Doležal
			Zeman Kolář Krejčí Urban Vaněk Blažek Kříž Kováč Varga Balog Polák Hudák Gajdoš Kollár Šimko Baláž Lukáč Ďurica Hruška`),
	},
	"hebrew": {
		given:  words(`Adi Amit Ariel Ayelet Daniel Eitan Gal Hila Inbar Itai Lior Maya Michal Nadav Noa Noam Omer Oren Roni Shira Tal Tamar Tomer Yael Yair Yonatan Yuval Ziv`),
		family: words(`Abramov Azoulay Baruch Ben-David Biton Cohen Dahan Eliyahu Friedman Gabay Golan Hadad Katz Levi Malka Mizrahi Ohana Peretz Regev Rosen Shapira Sharabi Tal Yosef`),
	},
	"kenyan": {
		given: words(`Achieng Akinyi Amani Baraka Brian Chipo Daniel Edwin Farai Faith Joyce Juma Kamau Kato Kevin Makena Mercy Mwangi Nakato
			Neema Njeri Nyambura Okello Otieno Rehema Ruvimbo Salim Tatenda Tendai Upendo Wanjiru Zawadi Zuri`),
		family: words(`Achieng Auma Chebet Cheruiyot Chirwa Kamau Kariuki Kimani Kiplagat Kiprono Maina Mbeki Moyo Mugisha Musoke Mutai Mwakasege
			Mwangi Namukasa Ncube Ndlovu Njoroge Nyathi Ochieng Odhiambo Okello Omondi Onyango Otieno Rotich Ssempala Wambui Wanjala`),
	},
	"ethiopian": {
		given:  words(`Abebe Alem Almaz Aster Bekele Berhanu Biruk Dawit Eden Elias Fikirte Genet Girma Haile Hanna Hiwot Kidist Lemlem Mekdes Meron Mulu Natnael Rahel Samuel Selam Tadesse Tigist Yonas Yared Zelalem`),
		family: words(`Abate Abebe Alemu Assefa Ayele Bekele Belay Birhanu Desta Gebre Girma Hailu Kebede Kassa Lemma Mamo Mekonnen Mengistu Mulugeta Negash Tadesse Tefera Tesfaye Tilahun Worku Yilma Zewde`),
	},
	"french": {
		given: words(`Adèle Adrien Alice Amélie Antoine Aurélie Benoît Camille Céline Chloé Clément Élodie Émile Étienne Fabien François Gaëlle
			Guillaume Hélène Hugo Inès Jérôme Joséphine Jules Léa Loïc Louise Lucas Manon Mathilde Maxime Noémie Océane Pierre Raphaël
			Rémi Sébastien Thérèse Théo Zoé`),
		family: words(`Martin Bernard Thomas Petit Robert Richard Durand Dubois Moreau Laurent Simon Michel Lefèvre Leroy Roux David Bertrand Morel
			Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Vincent Faure Mercier Blanc Guérin Boyer Garnier Chevalier François
			Legrand Gauthier Perrin Clément Ngono Mbarga Essomba Fotso Tchoumi Kamdem`),
	},
	"italian": {
		given: words(`Alessandro Alessia Alice Andrea Anna Antonio Beatrice Chiara Cristina Davide Elena Elisa Emanuele Fabio Federica Federico
			Francesca Francesco Gabriele Giorgia Giovanni Giulia Ilaria Laura Lorenzo Luca Marco Maria Martina Matteo Michele Niccolò
			Paolo Roberto Sara Silvia Simone Sofia Stefano Valentina`),
		family: words(`Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti De_Luca Mancini Costa Giordano Rizzo
			Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Galli Martini Leone Longo Gentile D'Angelo De_Santis
			Vitale Borg Camilleri Vella`),
	},
	"spanish": {
		given: words(`Adrián Alejandra Alejandro Álvaro Ana Andrés Ángela Beatriz Camila Carlos Carmen Cristina Daniela David Diego Elena Fernando
			Gabriela Guadalupe Héctor Inés Isabel Javier Jesús Joaquín José Juan Julián Lucía Luis María Martín Mateo Mónica Natalia Óscar
			Pablo Paula Raúl Rocío Rosa Santiago Sebastián Sofía Tomás Valentina Verónica Ximena`),
		family: words(`García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez
			Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez Ortega Delgado
			Castro Ortiz Rubio Marín Núñez Peña Quispe Reyes Santos Cruz Bautista Zambrano`),
	},
	"english": {
		given: words(`Abigail Alexander Amelia Benjamin Charlotte Chloe Daniel Edward Eleanor Emily Emma Ethan Finn Freya George Grace Hannah Harry
			Isabella Jack Jacob James Jessica Joshua Lauren Liam Lily Lucy Mason Megan Michael Noah Oliver Olivia Oscar Rebecca Ryan Samuel
			Siobhán Sophie Thandi Thomas William Zoe`),
		family: words(`Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood
			Jackson Clarke Harris Lewis Martin Cooper King Baker Harrison Morris Allen O'Brien O'Connor Murphy Kelly Byrne McCarthy Campbell
			Anderson Garcia Miller Davis Nguyen Naidoo Botha Dlamini Tremblay`),
	},
	"polish": {
		given: words(`Adam Agata Agnieszka Aleksandra Andrzej Anna Bartosz Bożena Dorota Ewa Filip Grzegorz Hanna Jakub Jan Joanna Kacper Karolina
			Katarzyna Krzysztof Łucja Łukasz Maciej Magdalena Małgorzata Marcin Mateusz Michał Monika Natalia Oliwia Paweł Piotr Rafał
			Stanisław Tomasz Weronika Wojciech Zofia Zuzanna`),
		family: words(`Nowak Kowalczyk Wójcik Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Mazur Jankowski Kwiatkowski
			Krawczyk Piotrowski Grabowski Pawłowski Michalski Król Wieczorek Jabłoński Wróbel Majewski Stępień Malinowski Jaworski Dudek
			Górski Pawlak Sikora Walczak Rutkowski Baran Szewczyk Ostrowski Pietrzak Gąsior`),
	},
	"greek": {
		given:          words(`Alexandros Anastasia Andreas Angeliki Christina Christos Dimitra Dimitris Eirini Eleni Evangelos Georgia Giannis Giorgos Ioanna Katerina Konstantinos Kyriaki Maria Michalis Nikos Panagiotis Paraskevi Sofia Spyros Stavros Theodora Thanasis Vasiliki Vasilis`),
		family:         words(`Papadopoulos Vlachos Angelopoulos Nikolaidis Georgiou Dimitriou Papadakis Panagiotou Konstantinou Oikonomou Makris Karagiannis Papanikolaou Antoniou Ioannou Pappas Athanasiou Christou Vasileiou Alexiou Charalambous Savva`),
		originalGiven:  words(`Γιώργος=Giorgos Ελένη=Eleni Μαρία=Maria Νίκος=Nikos Κατερίνα=Katerina Δημήτρης=Dimitris Σοφία=Sofia Ιωάννα=Ioanna Χρήστος=Christos`),
		originalFamily: words(`Παπαδόπουλος=Papadopoulos Βλάχος=Vlachos Γεωργίου=Georgiou Οικονόμου=Oikonomou Μακρής=Makris Αντωνίου=Antoniou Παππάς=Pappas`),
	},
	"korean": {
		given:  words(`Ji-woo Seo-yeon Min-jun Seo-jun Ha-yoon Do-yun Ji-ho Ji-min Su-bin Ye-jin Hyun-woo Joon-ho Eun-ji Yu-na Dong-hyun Min-seo Chae-won Tae-yang Young-ho Soo-ah`),
		family: words(`Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Yoo Hong`),
	},
	"portuguese": {
		given: words(`Ana André António Beatriz Bruno Caio Camila Catarina Diogo Eduardo Fernanda Filipe Gabriel Guilherme Inês Isabela João Joana
			Larissa Leonardo Letícia Lucas Luís Luísa Mariana Matheus Miguel Natália Nuno Paulo Pedro Rafaela Rodrigo Sofia Thiago Tiago
			Vinícius Vitória`),
		family: words(`Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares
			Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves
			Araújo Conceição Magalhães Simões`),
	},
	"indonesian": {
		given:  words(`Adi Agus Aisyah Andi Anisa Arif Ayu Bagus Bayu Budi Citra Dewi Dian Dimas Eka Fajar Fitri Galih Hendra Indah Intan Joko Kartika Lestari Maya Nur Putri Rani Ratna Rizky Sari Siti Tri Wahyu Wulan Yoga Yuni`),
		family: words(`Anggraini Firmansyah Gunawan Handayani Hartono Hidayat Irawan Kurniawan Kusuma Lestari Maulana Nugroho Permata Pratama Prasetyo Purnama Rahmawati Ramadhan Saputra Santoso Setiawan Siregar Sitompul Suharto Sulistyo Susanto Utami Wibowo Widodo Wijaya`),
	},
	"georgian": {
		given:  words(`Ana Archil Avto Davit Eka Elene Giorgi Goga Ia Irakli Ketevan Lasha Levan Luka Maka Mariam Nana Natia Nika Nino Nutsa Otar Saba Salome Sandro Shota Tamar Tamta Teona Tornike Vakhtang Zurab`),
		family: words(`Abashidze Barbakadze Beridze Bolkvadze Chikovani Dolidze Gelashvili Giorgadze Gogoladze Japaridze Kapanadze Khutsishvili Kobalia Kvaratskhelia Lomidze Maisuradze Mamulashvili Meladze Mikeladze Nozadze Tsiklauri Tsereteli`),
	},
	"armenian": {
		given:  words(`Anahit Ani Ara Aram Armen Arpine Artur Davit Gayane Gevorg Gor Hayk Hasmik Hovhannes Karen Lilit Lusine Mane Mariam Mher Nare Narek Sargis Shushan Sona Tatev Tigran Vahan Vardan Zara`),
		family: words(`Abrahamyan Avetisyan Babayan Danielyan Galstyan Ghazaryan Grigoryan Hakobyan Harutyunyan Hovhannisyan Karapetyan Khachatryan Kirakosyan Manukyan Martirosyan Mkrtchyan Petrosyan Sahakyan Sargsyan Stepanyan Vardanyan Yeghiazaryan`),
	},
	"japanese": {
		given:  words(`Aiko Akira Aoi Ayaka Daiki Emi Hana Haruka Haruto Hina Hiroshi Kaito Kana Kenji Mai Mei Miyu Naoki Ren Riko Rin Ryo Sakura Satoshi Shota Sora Takumi Yui Yuki Yuto`),
		family: words(`Satō Suzuki Takahashi Tanaka Itō Watanabe Yamamoto Nakamura Kobayashi Katō Yoshida Yamada Sasaki Yamaguchi Matsumoto Inoue Kimura Hayashi Shimizu Saitō Mori Ikeda Hashimoto Ishikawa`),
	},
	"bulgarian": {
		given:          words(`Aleksandar Angel Boryana Desislava Dimitar Elena Emil Gergana Georgi Hristo Iva Ivan Kalina Katerina Kiril Krasimir Lyubomir Maria Nikolay Petar Plamen Radostina Rositsa Stefan Stoyan Tsvetelina Vasil Violeta Yana Yordan`),
		family:         words(`Angelov Atanasov Bozhkov Dimitrov Dobrev Georgiev Hristov Iliev Ivanov Kolev Kostov Marinov Mihaylov Nikolov Pavlov Petkov Petrov Stefanov Stoyanov Todorov Vasilev Yordanov Zhelev`),
		originalGiven:  words(`Георги=Georgi Мария=Maria Иван=Ivan Елена=Elena Петър=Petar Гергана=Gergana Николай=Nikolay`),
		originalFamily: words(`Ангелов=Angelov Димитров=Dimitrov Колев=Kolev Костов=Kostov Маринов=Marinov Тодоров=Todorov`),
	},
	"albanian": {
		given:  words(`Agim Albana Albert Alban Arben Ardita Arta Bekim Besa Blerim Blerta Donjeta Drita Egzon Elira Endrit Erion Fatmir Fjolla Gent Ilir Klea Kreshnik Leonora Liridon Mirela Shpresa Valon Vjosa Yllka`),
		family: words(`Ahmeti Bajrami Basha Berisha Bytyqi Çela Dervishi Gashi Gjoka Hasani Hoxha Hoti Kelmendi Krasniqi Kryeziu Leka Marku Morina Mustafa Prifti Rama Rexhepi Sadiku Shala Shehu Thaçi Zeqiri`),
	},
	"mongolian": {
		given:  words(`Altan Anar Ankhbayar Bat-Erdene Batbayar Bayarmaa Bolor Chimeg Dorj Enkhjin Enkhtuya Ganbold Khulan Munkhbat Nandin Narantuya Nomin Otgon Oyuun Sarnai Saruul Temuulen Tuguldur Tuya Uyanga Zolzaya`),
		family: words(`Baatar Batsaikhan Bold Boldbaatar Damdin Dash Dorj Enkhbold Erdene Ganbaatar Gantulga Jargal Lkhagva Munkh Nyam Otgonbayar Purev Sukh Tseren Tumur`),
	},
	"baltic": {
		given: words(`Agnė Andris Anete Artūrs Austėja Dainius Darius Edgars Elīna Evelina Gabija Gints Greta Guntis Ieva Ilze Inga Jānis Jonas Jūratė
			Kārlis Kristaps Laima Laura Linas Līga Lukas Mantas Māris Matas Nojus Rasa Rūta Sandra Šarūnas Toms Ugnė Viktorija Žygimantas`),
		family: words(`Kazlauskas Petrauskas Jankauskas Stankevičius Vasiliauskas Žukauskas Butkus Paulauskas Urbonas Kavaliauskas Šimkus Bērziņš Kalniņš
			Ozoliņš Jansons Ozols Liepiņš Krūmiņš Balodis Eglītis Zariņš Pētersons Vītols Kļaviņš Vanags Grigaitis Rimkus`),
	},
	"estonian": {
		given:  words(`Aino Anneli Annika Eerik Epp Hanna Henri Ingrid Jaan Jüri Kaarel Kadri Katrin Kerttu Kristiina Kristjan Külli Liisa Maarja Madis Marek Mari Martin Mart Ott Piret Rasmus Riina Siim Tanel Tiina Toomas Triin Ülle`),
		family: words(`Allik Ilves Jõgi Kaasik Kask Kivi Koppel Kukk Kuusk Kütt Laur Lepik Luik Mägi Mets Mölder Oja Org Pärn Põld Raudsepp Rebane Saar Sepp Sild Tamm Teder Uibo Vaher Väli`),
	},
	"finnish": {
		given:  words(`Aada Aino Anni Antti Eero Eino Elina Emilia Eveliina Heikki Helmi Iida Ilmari Jari Johanna Juho Jukka Kaisa Katri Lauri Leena Mika Mikko Minna Onni Päivi Pekka Pirjo Riikka Saara Sami Sanna Tiina Timo Tuomas Väinö Veera Ville`),
		family: words(`Ahonen Hämäläinen Heikkinen Heinonen Järvinen Jokinen Karjalainen Kinnunen Korhonen Koskinen Laine Lehtinen Lehtonen Mäkelä Mäkinen Nieminen Niemi Pitkänen Rantanen Saarinen Salminen Salonen Savolainen Toivonen Tuominen Turunen Väisänen Virtanen`),
	},
	"nordic": {
		given: words(`Åsa Anders Anna Astrid Bjørn Elin Emil Emma Erik Frida Guðrún Hanne Håkon Henrik Ida Ingrid Jens Johan Jón Karin Kjersti Lars
			Linnea Magnus Maja Malin Marte Mats Mikkel Nora Oskar Rasmus Sigrid Silje Sofie Søren Sven Þóra Tor Tove Ørjan Øystein`),
		family: words(`Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Lindberg Bergström Åkesson Sjöberg
			Hansen Johansen Olsen Larsen Andersen Pedersen Nilsen Kristiansen Jensen Berg Haugen Hagen Bakke Dahl Sørensen Rasmussen Jørgensen
			Møller Nørgaard Jónsson Ødegård`),
	},
	"dutch": {
		given: words(`Anouk Bart Bas Britt Daan Eline Emma Femke Fleur Floor Hendrik Ilse Iris Jan Jeroen Joris Julie Kobe Lars Lieke Lotte Luuk Maarten
			Maud Merel Nina Pieter Robbe Roos Ruben Sanne Sem Sofie Thijs Tim Wout Yara Zoë`),
		family: words(`Bakker Bos Brouwer De_Boer De_Bruijn De_Clercq De_Groot De_Jong De_Smet De_Vries De_Wit Dekker Dijkstra Hendriks Hermans Jacobs Jansen
			Janssens Kok Kuipers Maes Meijer Mertens Mulder Peeters Smit Van_Damme Van_den_Berg Van_Dijk Van_Leeuwen Vermeulen Visser Vos
			Willems Wouters`),
	},
}
